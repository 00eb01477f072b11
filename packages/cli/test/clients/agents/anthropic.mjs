import Anthropic from "@anthropic-ai/sdk";
import { runTool, tools, withRetries } from "./tools.mjs";

const [, , , url, prompt] = process.argv;
const client = new Anthropic({ baseURL: url });
const messages = [{ role: "user", content: [{ type: "text", text: prompt }] }];
const cache_control = { type: "ephemeral" };

/** The cache mark is on the newest block, as Anthropic's documentation advises. */
const marked = () =>
  messages.map((message, index) => {
    if (index < messages.length - 1) return message;
    const last = message.content.at(-1);
    return { ...message, content: [...message.content.slice(0, -1), { ...last, cache_control }] };
  });

const ask = () =>
  client.messages
    .stream({
      model: "claude-sonnet-4-5",
      max_tokens: 4_000,
      thinking: { type: "enabled", budget_tokens: 1_024 },
      system: [{ type: "text", text: "You are careful.", cache_control }],
      tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
      messages: marked(),
    })
    .finalMessage();

for (;;) {
  const { content, stop_reason } = await withRetries(ask);
  messages.push({ role: "assistant", content });
  if (stop_reason !== "tool_use") {
    console.log(content.at(-1).text);
    break;
  }
  const results = [];
  for (const block of content) {
    if (block.type !== "tool_use") continue;
    const text = await runTool(block.name, block.input);
    results.push({ type: "tool_result", tool_use_id: block.id, content: [{ type: "text", text }] });
  }
  messages.push({ role: "user", content: results });
}
