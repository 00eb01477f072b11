type Json = Record<string, unknown>;

/** An answer of Anthropic's as the events that it comes in where it streams. */
export function messagesEvents(answer: Json): readonly string[] {
  const { content, stop_reason, usage, ...head } = answer as { content: Json[] } & Json;
  const events: Json[] = [
    { type: "message_start", message: { ...head, content: [], stop_reason: null, usage } },
    { type: "ping" },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: emptied(block) },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 10 } },
    { type: "message_stop" },
  ];
  return events.map((event) => JSON.stringify(event));
}

function emptied(block: Json): Json {
  return block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
}

function deltasOf(block: Json): Json[] {
  if (block.type === "text") {
    return (String(block.text).match(/\S+\s*/g) ?? []).map((text) => ({ type: "text_delta", text }));
  }
  const written = JSON.stringify(block.input);
  const half = Math.ceil(written.length / 2);
  return [written.slice(0, half), written.slice(half)].map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }));
}
