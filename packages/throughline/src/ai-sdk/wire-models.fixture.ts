import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError } from "ai";
import type { ToolOutput } from "../message/tool-output.ts";
import { toolOutputText } from "../message/tool-output.ts";
import { type Prompted, usageOf } from "./sdks.fixture.ts";

export type Wire = "openai" | "anthropic";

type Part = Record<string, unknown> & { readonly type: string };
interface Call {
  readonly prompt: readonly Prompted[];
  readonly tools?: readonly { name: string; inputSchema: unknown }[];
  readonly maxOutputTokens?: number;
  readonly abortSignal?: AbortSignal;
}

/**
 * A model behind the wire server. AI SDK 7 reaches the OpenAI side through the SDK's own provider; the other
 * combinations use a small model that speaks the wire format with `fetch`.
 */
export function wireModel(url: string, wire: Wire, version: string): unknown {
  if (version === "7" && wire === "openai")
    return createOpenAICompatible({ name: "local", baseURL: url, includeUsage: true })("local");
  const generate = async (call: Call) => {
    const path = wire === "openai" ? "chat/completions" : "messages";
    const body = wire === "openai" ? asChat(call) : asMessages(call);
    const reply = await post(`${url}/${path}`, body, call.abortSignal);
    const { content, input } = wire === "openai" ? readChat(reply) : readMessages(reply);
    const unified = content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
    return { content, finishReason: { unified, raw: unified }, usage: usageOf(input), warnings: [] };
  };
  return {
    specificationVersion: version === "7" ? "v4" : "v3",
    provider: "local",
    modelId: "local",
    supportedUrls: {},
    doGenerate: generate,
    async doStream(call: Call) {
      const { content, finishReason, usage } = await generate(call);
      const parts = [
        { type: "stream-start", warnings: [] },
        ...content.flatMap((part, index) => {
          if (part.type !== "text") return [part];
          const id = `${index}`;
          return [
            { type: "text-start", id },
            { type: "text-delta", id, delta: part.text },
            { type: "text-end", id },
          ];
        }),
        { type: "finish", finishReason, usage },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
}

async function post(url: string, body: object, signal: AbortSignal | undefined): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body), ...(signal ? { signal } : {}) });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const message = (JSON.parse(text) as { error: { message: string } }).error.message;
  throw new APICallError({ message, url, requestBodyValues: {}, statusCode: response.status, responseBody: text });
}

const partsOf = ({ content }: Prompted): readonly Part[] =>
  typeof content === "string" ? [] : (content as readonly Part[]);
const textsOf = (message: Prompted) =>
  partsOf(message).flatMap((part) => (part.type === "text" ? [String(part.text)] : []));

function asChat({ prompt, tools, maxOutputTokens }: Call): object {
  const messages = prompt.flatMap((message): object[] => {
    const { role, content } = message;
    if (role === "system") return [{ role, content }];
    if (role === "user") return [{ role, content: textsOf(message).join("\n") }];
    if (role === "tool") {
      return partsOf(message).map(({ toolCallId, output }) => ({
        role,
        tool_call_id: toolCallId,
        content: toolOutputText(output as ToolOutput),
      }));
    }
    const calls = partsOf(message).filter(({ type }) => type === "tool-call");
    const tool_calls = calls.map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      type: "function",
      function: { name: toolName, arguments: JSON.stringify(input) },
    }));
    return [{ role, content: textsOf(message).join("\n") || null, ...(calls.length > 0 ? { tool_calls } : {}) }];
  });
  const functions = tools?.map(({ name, inputSchema }) => ({
    type: "function",
    function: { name, parameters: inputSchema },
  }));
  return {
    messages,
    ...(functions ? { tools: functions } : {}),
    ...(maxOutputTokens ? { max_tokens: maxOutputTokens } : {}),
  };
}

/** Puts results into a user message, as Anthropic requires. */
function asMessages({ prompt, tools, maxOutputTokens = 500 }: Call): object {
  const messages: { role: string; content: object[] }[] = [];
  for (const message of prompt) {
    if (message.role === "system") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = partsOf(message).flatMap((part): object[] => {
      if (part.type === "text") return [{ type: "text", text: part.text }];
      if (part.type === "tool-call")
        return [{ type: "tool_use", id: part.toolCallId, name: part.toolName, input: part.input }];
      if (part.type !== "tool-result") return [];
      return [
        { type: "tool_result", tool_use_id: part.toolCallId, content: toolOutputText(part.output as ToolOutput) },
      ];
    });
    const last = messages.at(-1);
    // The SDK's own provider merges tool and user messages.
    if (last?.role === "user" && role === "user") last.content.push(...content);
    else messages.push({ role, content });
  }
  const system = prompt
    .filter(({ role }) => role === "system")
    .map(({ content }) => content)
    .join("\n\n");
  const described = tools?.map(({ name, inputSchema }) => ({ name, input_schema: inputSchema }));
  return {
    max_tokens: maxOutputTokens,
    ...(system ? { system } : {}),
    messages,
    ...(described ? { tools: described } : {}),
  };
}

function readChat(reply: Record<string, unknown>): { content: Part[]; input: number } {
  const { choices, usage } = reply as {
    choices: {
      message: { content: string | null; tool_calls?: { id: string; function: { name: string; arguments: string } }[] };
    }[];
    usage: { prompt_tokens: number };
  };
  const message = choices[0]?.message;
  const calls = (message?.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input,
  }));
  const text = message?.content ? [{ type: "text", text: message.content }] : [];
  return { content: [...text, ...calls], input: usage.prompt_tokens };
}

function readMessages(reply: Record<string, unknown>): { content: Part[]; input: number } {
  const { content, usage } = reply as { content: Part[]; usage: { input_tokens: number } };
  return {
    content: content.map((block) =>
      block.type === "text"
        ? block
        : { type: "tool-call", toolCallId: block.id, toolName: block.name, input: JSON.stringify(block.input) },
    ),
    input: usage.input_tokens,
  };
}
