import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { tools } from "./tools.mjs";

const [, , kind, url, prompt] = process.argv;
const openai = createOpenAI({ baseURL: `${url}/v1` });
const models = {
  chat: () => openai.chat("gpt-4o"),
  responses: () => openai.responses("gpt-5"),
  anthropic: () => createAnthropic({ baseURL: `${url}/v1` })("claude-sonnet-4-5"),
};
const { text } = await generateText({
  model: models[kind](),
  instructions: "You are careful.",
  prompt,
  tools: Object.fromEntries(
    tools.map(({ name, description, schema, run }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema), execute: run }),
    ]),
  ),
  stopWhen: isStepCount(500),
});
console.log(text);
