import type { ForeignModelMessage } from "throughline";
import type { TranscriptMessage, TranscriptPart } from "./transcript.ts";

type Call = Extract<TranscriptPart, { kind: "call" }>;
type Result = Extract<TranscriptPart, { kind: "result" }>;

/**
 * The messages as an AI SDK client would send them: each call has one result right after its message, results without a
 * call are left out, and the first message is the user's. Reasoning is left out.
 */
export function toModelMessages(messages: readonly TranscriptMessage[]): ForeignModelMessage[] {
  const results = firstResults(messages);
  const sent = messages.flatMap((message) =>
    message.role === "assistant" ? sendReply(message, results) : sendUserText(message),
  );
  const start = sent.findIndex((message) => message.role === "user");
  return start < 0 ? [] : sent.slice(start);
}

/** The first result of each call that was made before it. */
function firstResults(messages: readonly TranscriptMessage[]): Map<string, Result> {
  const called = new Set<string>();
  const results = new Map<string, Result>();
  for (const { role, parts } of messages) {
    for (const part of parts) {
      if (role === "assistant" && part.kind === "call") called.add(part.id);
      const isFirst = role === "user" && part.kind === "result" && called.has(part.id) && !results.has(part.id);
      if (isFirst) results.set(part.id, part);
    }
  }
  return results;
}

function sendReply({ parts }: TranscriptMessage, results: ReadonlyMap<string, Result>): ForeignModelMessage[] {
  const calls = parts.filter((part) => part.kind === "call");
  const content = parts.flatMap((part): object[] => {
    if (part.kind === "call") return [sendCall(part)];
    return part.kind === "text" && part.text !== "" ? [{ type: "text", text: part.text }] : [];
  });
  if (content.length === 0) return [];
  const reply: ForeignModelMessage = { role: "assistant", content };
  if (calls.length === 0) return [reply];
  return [reply, { role: "tool", content: calls.map((call) => sendResult(call, results.get(call.id))) }];
}

function sendCall({ id, name, input }: Call) {
  return { type: "tool-call", toolCallId: id, toolName: name, input: input ?? {} };
}

function sendResult({ id, name }: Call, result: Result | undefined) {
  const type = result?.isError === true ? "error-text" : "text";
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: { type, value: result?.text ?? "[no result]" },
  };
}

function sendUserText({ parts }: TranscriptMessage): ForeignModelMessage[] {
  const texts = parts.flatMap((part) => (part.kind === "text" && part.text !== "" ? [part.text] : []));
  return texts.length === 0 ? [] : [{ role: "user", content: texts.join("\n") }];
}
