import type { CurrentModel } from "../chat-model.ts";

/** The used part of the browser's Prompt API: the global `LanguageModel`. */
export interface PromptApi {
  availability(options?: PromptLanguages): Promise<PromptAvailability>;
  create(options?: PromptSessionOptions): Promise<PromptSession>;
}

export type PromptAvailability = "unavailable" | "downloadable" | "downloading" | "available";

interface PromptLanguages {
  readonly expectedInputs?: readonly PromptLanguage[];
  readonly expectedOutputs?: readonly PromptLanguage[];
}

interface PromptLanguage {
  readonly type: "text";
  readonly languages: readonly string[];
}

export interface PromptSessionOptions extends PromptLanguages {
  readonly initialPrompts?: readonly PromptMessage[];
  readonly signal?: AbortSignal;
  readonly monitor?: (monitor: EventTarget) => void;
}

interface PromptMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface PromptSession {
  promptStreaming(
    input: readonly PromptMessage[],
    options?: { readonly signal?: AbortSignal; readonly responseConstraint?: object },
  ): ReadableStream<string>;
  /** Capacity and use in tokens; `inputQuota` and `inputUsage` are older names. */
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  readonly contextUsage?: number;
  readonly inputUsage?: number;
  destroy(): void;
}

/** The browser requires the languages in advance. Replies in other languages work too, with lower quality. */
export const PROMPT_LANGUAGES: PromptLanguages = {
  expectedInputs: [{ type: "text", languages: ["en"] }],
  expectedOutputs: [{ type: "text", languages: ["en"] }],
};

type CallOptions = Parameters<CurrentModel["doStream"]>[0];
type StreamPart = Awaited<ReturnType<CurrentModel["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;
type Finish = Extract<StreamPart, { type: "finish" }>;
type Warnings = Extract<StreamPart, { type: "stream-start" }>["warnings"];

export const BUILT_IN_MODEL_ID = "browser-built-in";

const TEXT_ID = "text";

/** The browser's own model as one of the AI SDK. Each answer has a session of its own, which ends with it. */
export function promptApiModel(api: PromptApi): CurrentModel {
  const doStream: CurrentModel["doStream"] = async (options) => {
    const { session, answer } = await ask(api, options);
    return { stream: answer.pipeThrough(asParts(session, unsupported(options))) };
  };
  return {
    specificationVersion: "v4",
    provider: "browser",
    modelId: BUILT_IN_MODEL_ID,
    supportedUrls: {},
    doStream,
    async doGenerate(options) {
      const { session, answer } = await ask(api, options);
      let text = "";
      try {
        for await (const delta of readAll(answer)) text += delta;
        const { finishReason, usage } = finish(session);
        return { content: [{ type: "text", text }], finishReason, usage, warnings: unsupported(options) };
      } finally {
        session.destroy();
      }
    },
  };
}

async function ask(api: PromptApi, { prompt, abortSignal, responseFormat }: CallOptions) {
  const messages = prompt.flatMap(toMessages);
  // The system prompt is allowed at the start of a session only.
  const lastOwn = messages.findLastIndex(({ role }) => role !== "user");
  const session = await api.create({
    ...PROMPT_LANGUAGES,
    initialPrompts: messages.slice(0, lastOwn + 1),
    ...(abortSignal && { signal: abortSignal }),
  });
  // A stream that is cancelled reports to no other reader.
  abortSignal?.addEventListener("abort", () => session.destroy(), { once: true });
  const schema = responseFormat?.type === "json" ? responseFormat.schema : undefined;
  const answer = session.promptStreaming(messages.slice(lastOwn + 1), {
    ...(abortSignal && { signal: abortSignal }),
    ...(typeof schema === "object" && { responseConstraint: schema }),
  });
  return { session, answer };
}

function toMessages(message: CallOptions["prompt"][number]): PromptMessage[] {
  if (message.role === "system") return [{ role: "system", content: message.content }];
  if (message.role === "tool") return [];
  const content = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  return content === "" ? [] : [{ role: message.role, content }];
}

function asParts(session: PromptSession, warnings: Warnings): TransformStream<string, StreamPart> {
  return new TransformStream<string, StreamPart>({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings });
      controller.enqueue({ type: "text-start", id: TEXT_ID });
    },
    transform(delta, controller) {
      controller.enqueue({ type: "text-delta", id: TEXT_ID, delta });
    },
    flush(controller) {
      controller.enqueue({ type: "text-end", id: TEXT_ID });
      controller.enqueue(finish(session));
      session.destroy();
    },
  });
}

/** Not every browser can go through a stream with `for await`. */
async function* readAll(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function finish(session: PromptSession): Finish {
  const total = session.contextUsage ?? session.inputUsage;
  return {
    type: "finish",
    finishReason: { unified: "stop", raw: undefined },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      ...(total !== undefined && { raw: { total } }),
    },
  };
}

/** Options that the browser does not support. */
function unsupported({ prompt, tools, ...settings }: CallOptions): Warnings {
  const names = (["maxOutputTokens", "temperature", "topP", "topK", "stopSequences", "seed"] as const).filter(
    (name) => settings[name] !== undefined,
  );
  const hasOtherParts = prompt.some(
    ({ role, content }) =>
      role === "tool" ||
      (typeof content !== "string" && content.some(({ type }) => type !== "text" && type !== "reasoning")),
  );
  const features = [
    ...names,
    ...(tools?.length ? ["tools"] : []),
    ...(hasOtherParts ? ["files and tool results"] : []),
  ];
  return features.map((feature) => ({ type: "unsupported", feature }));
}
