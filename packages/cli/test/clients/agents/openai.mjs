import OpenAI from "openai";
import { runTool, tools, withRetries } from "./tools.mjs";

const [, , kind, url, prompt] = process.argv;
const client = new OpenAI({ baseURL: `${url}/v1` });

async function chat() {
  const messages = [
    { role: "system", content: "You are careful." },
    { role: "user", content: prompt },
  ];
  const functions = tools.map(({ name, description, schema }) => ({
    type: "function",
    function: { name, description, parameters: schema },
  }));
  for (;;) {
    const { message } = await withRetries(async () => {
      const stream = client.chat.completions.stream({ model: "gpt-4o", messages, tools: functions });
      return (await stream.finalChatCompletion()).choices[0];
    });
    messages.push(message);
    if (!message.tool_calls?.length) return message.content;
    for (const { id, function: called } of message.tool_calls) {
      messages.push({
        role: "tool",
        tool_call_id: id,
        content: await runTool(called.name, JSON.parse(called.arguments)),
      });
    }
  }
}

async function responses(byId) {
  let input = [{ role: "user", content: prompt }];
  let previous;
  const functions = tools.map(({ name, description, schema }) => ({
    type: "function",
    name,
    description,
    parameters: schema,
    strict: false,
  }));
  for (;;) {
    const response = await withRetries(() =>
      client.responses
        .stream({
          model: "gpt-5",
          instructions: "You are careful.",
          input,
          tools: functions,
          ...(byId ? { previous_response_id: previous } : { store: false, include: ["reasoning.encrypted_content"] }),
        })
        .finalResponse(),
    );
    const calls = response.output.filter(({ type }) => type === "function_call");
    if (calls.length === 0) return response.output_text;
    const results = [];
    for (const { call_id, name, arguments: given } of calls) {
      results.push({ type: "function_call_output", call_id, output: await runTool(name, JSON.parse(given)) });
    }
    previous = response.id;
    input = byId ? results : [...input, ...response.output, ...results];
  }
}

console.log(kind === "chat" ? await chat() : await responses(kind === "previous"));
