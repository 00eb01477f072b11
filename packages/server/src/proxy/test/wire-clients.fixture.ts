import { thinkingSignature } from "../../../test/provider/anthropic-rules.ts";
import { thoughtSignature } from "../../../test/provider/gemini-rules.ts";
import type { Reply } from "../../../test/provider/provider.ts";

type Json = Record<string, unknown>;

/** Typical clients: each stores the conversation in its own form and sends the usual fields. */
export const CLIENTS = [
  "chat",
  "messages",
  "messages with thinking",
  "responses",
  "responses with reasoning",
  "responses by id",
  "responses by reference",
  "responses by reference, but for calls",
  "gemini",
  "gemini without ids",
] as const;
export type ClientKind = (typeof CLIENTS)[number];

interface ClientResult {
  readonly id: string;
  readonly text: string;
  readonly image?: string | undefined;
}

/** One conversation, as a client stores it. */
export interface WireClient {
  readonly path: string;
  /** The path, if it depends on the model and the mode. */
  address?(model: string, stream: boolean): string;
  /** The next request body, without the common fields. */
  body(): Json;
  say(text: string, image?: string): void;
  /** Receives the answer: `raw` is the body of a non-streaming response, or of the last event. */
  read(reply: Reply, raw: Json): void;
  results(results: readonly ClientResult[]): void;
}

const TOOLS = [{ name: "read", parameters: { type: "object", properties: { size: { type: "number" } } } }];
const SYSTEM = "You are careful.";

export function openClient(kind: ClientKind): WireClient {
  if (kind === "chat") return chatClient();
  if (kind.startsWith("gemini")) return geminiClient(kind === "gemini");
  return kind.startsWith("messages") ? messagesClient(kind === "messages with thinking") : responsesClient(kind);
}

function chatClient(): WireClient {
  const messages: Json[] = [{ role: "system", content: SYSTEM }];
  return {
    path: "chat/completions",
    body: () => ({ messages, tools: TOOLS.map((one) => ({ type: "function", function: one })) }),
    say(text, image) {
      const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${image}`, detail: "low" } };
      messages.push({ role: "user", content: image === undefined ? text : [{ type: "text", text }, picture] });
    },
    read({ text, calls }) {
      const tool_calls = calls?.map(({ id, name, input }) => ({
        id,
        type: "function",
        // Clients format JSON in their own way.
        function: { name, arguments: JSON.stringify(input, null, 1) },
      }));
      const said = { role: "assistant", content: text?.trim() ?? null, refusal: null };
      messages.push(tool_calls === undefined ? said : { ...said, tool_calls });
    },
    results(results) {
      for (const { id, text } of results) messages.push({ role: "tool", tool_call_id: id, content: text });
    },
  };
}

function messagesClient(thinks: boolean): WireClient {
  const messages: { role: string; content: Json[] }[] = [];
  const source = (data: string | undefined) => ({ type: "base64", media_type: "image/png", data });
  return {
    path: "messages",
    // The cache mark moves along with the conversation.
    body: () => ({
      system: [{ type: "text", text: SYSTEM, cache_control: { type: "ephemeral" } }],
      messages: messages.map((message, index) => (index < messages.length - 1 ? message : marked(message))),
      tools: TOOLS.map(({ name, parameters }) => ({ name, input_schema: parameters })),
      ...(thinks && { thinking: { type: "enabled", budget_tokens: 200 } }),
    }),
    say(text, image) {
      const picture = image === undefined ? [] : [{ type: "image", source: source(image) }];
      messages.push({ role: "user", content: [{ type: "text", text }, ...picture] });
    },
    read({ text, thinking = "Let me think.", calls = [] }) {
      const thought = thinks ? [{ type: "thinking", thinking, signature: thinkingSignature(thinking) }] : [];
      const said = text === undefined ? [] : [{ type: "text", text }];
      messages.push({
        role: "assistant",
        content: [...thought, ...said, ...calls.map((call) => ({ type: "tool_use", ...call }))],
      });
    },
    results(results) {
      const content = results.map(({ id, text, image }) => ({
        type: "tool_result",
        tool_use_id: id,
        content:
          image === undefined
            ? text
            : [
                { type: "text", text },
                { type: "image", source: source(image) },
              ],
      }));
      messages.push({ role: "user", content });
    },
  };
}

function marked(message: { role: string; content: Json[] }): Json {
  const last = message.content.at(-1);
  return { ...message, content: [...message.content.slice(0, -1), { ...last, cache_control: { type: "ephemeral" } }] };
}

function responsesClient(kind: ClientKind): WireClient {
  let input: Json[] = [];
  let previous: unknown;
  return {
    path: "responses",
    body: () => ({
      instructions: SYSTEM,
      input,
      tools: TOOLS.map((one) => ({ type: "function", ...one })),
      ...(kind === "responses" && { store: false }),
      ...(kind === "responses with reasoning" && { store: false, include: ["reasoning.encrypted_content"] }),
      ...(previous !== undefined && { previous_response_id: previous }),
    }),
    say(text, image) {
      const picture = { type: "input_image", image_url: `data:image/png;base64,${image}`, detail: "low" };
      const content = image === undefined ? text : [{ type: "input_text", text }, picture];
      input.push({ role: "user", content });
    },
    read(_, raw) {
      const output = raw.output as Json[];
      if (kind === "responses by id") {
        previous = raw.id;
        input = [];
      } else if (kind === "responses by reference") {
        input.push(...output.map(({ id }) => ({ type: "item_reference", id })));
      } else if (kind === "responses by reference, but for calls") {
        const sent = ({ id, ...item }: Json) => (item.type === "function_call" ? item : { type: "item_reference", id });
        input.push(...output.map(sent));
      } else if (kind === "responses with reasoning") {
        input.push(...output);
      } else {
        input.push(...output.filter(({ type }) => type !== "reasoning").map(({ id: _id, ...item }) => item));
      }
    },
    results(results) {
      input.push(...results.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text })));
    },
  };
}

/** Gemini CLI, which creates call ids itself, or a client without call ids. */
function geminiClient(hasIds: boolean): WireClient {
  const contents: { role: string; parts: Json[] }[] = [];
  const named = new Map<string, Json>();
  const inlineData = (data: string) => ({ inlineData: { mimeType: "image/png", data } });
  return {
    path: "",
    address: (model, stream) =>
      stream ? `/v1beta/models/${model}:streamGenerateContent?alt=sse` : `/v1beta/models/${model}:generateContent`,
    body: () => ({
      contents,
      systemInstruction: { parts: [{ text: SYSTEM }] },
      tools: [{ functionDeclarations: TOOLS }],
    }),
    say: (text, image) =>
      void contents.push({ role: "user", parts: [{ text }, ...(image === undefined ? [] : [inlineData(image)])] }),
    read({ text, calls = [] }) {
      const parts = calls.map(({ id, name, input }, index) => {
        named.set(id, { name, ...(hasIds && { id: `${name}_${id}` }) });
        const signature = index === 0 && { thoughtSignature: thoughtSignature(id, name) };
        return { functionCall: { ...named.get(id), args: input }, ...signature };
      });
      contents.push({ role: "model", parts: [...(text === undefined ? [] : [{ text }]), ...parts] });
    },
    results: (results) =>
      void contents.push({
        role: "user",
        parts: results.map(({ id, text, image }) => {
          const files = image !== undefined && { parts: [inlineData(image)] };
          return { functionResponse: { ...named.get(id), response: { output: text }, ...files } };
        }),
      }),
  };
}
