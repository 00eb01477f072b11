import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { tools } from "./tools.mjs";

const [, , , url, prompt] = process.argv;
const schemaOf = ({ properties }) =>
  z.object(Object.fromEntries(Object.keys(properties).map((name) => [name, z.string()])));
const agent = new Agent({
  id: "renamer",
  name: "renamer",
  instructions: "You are careful.",
  model: createOpenAI({ baseURL: `${url}/v1` }).chat("gpt-4o"),
  tools: Object.fromEntries(
    tools.map(({ name, description, schema, run }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: schemaOf(schema),
        execute: (input) => run(input.context ?? input),
      }),
    ]),
  ),
});
const { text } = await agent.generate(prompt, { maxSteps: 500 });
console.log(text);
