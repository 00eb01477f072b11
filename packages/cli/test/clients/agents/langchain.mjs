import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { runTool, tools, withRetries } from "./tools.mjs";

const [, , kind, url, prompt] = process.argv;
const model =
  kind === "anthropic"
    ? new ChatAnthropic({ model: "claude-sonnet-4-5", anthropicApiUrl: url, maxTokens: 4_000 })
    : new ChatOpenAI({
        model: "gpt-4o",
        useResponsesApi: kind === "responses",
        configuration: { baseURL: `${url}/v1` },
      });
const bound = model.bindTools(
  tools.map(({ name, description, schema }) => ({
    type: "function",
    function: { name, description, parameters: schema },
  })),
);
const messages = [new SystemMessage("You are careful."), new HumanMessage(prompt)];
for (;;) {
  const answer = await withRetries(() => bound.invoke(messages));
  messages.push(answer);
  if (answer.tool_calls.length === 0) {
    console.log(answer.text);
    break;
  }
  for (const { id, name, args } of answer.tool_calls) {
    messages.push(new ToolMessage({ tool_call_id: id, content: await runTool(name, args) }));
  }
}
