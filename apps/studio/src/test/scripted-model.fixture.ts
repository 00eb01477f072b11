import type { FinishReason } from "ai";
import type { ChatModel, CurrentModel, ModelManager, ModelState } from "../models/chat-model.ts";

type StreamResult = Awaited<ReturnType<CurrentModel["doStream"]>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;
type Prompt = Parameters<CurrentModel["doStream"]>[0]["prompt"];

/** An answer that the test writes. */
export interface WrittenAnswer {
  say(text: string): void;
  think(text: string): void;
  callTool(name: string): void;
  finish(reason?: FinishReason): void;
}

/** A model whose answers the test writes, and its prompts as it got them. */
export class ScriptedModel {
  readonly prompts: Prompt[] = [];
  readonly #answers: WrittenAnswer[] = [];
  readonly #waiting: ((answer: WrittenAnswer) => void)[] = [];
  /** Answers at once with these words, unless the test waits for the question. */
  reply: ((question: string) => string) | undefined;

  readonly chatModel: ChatModel;

  constructor(more: Partial<ChatModel> = {}) {
    const languageModel = {
      specificationVersion: "v4",
      provider: "test",
      modelId: "tiny",
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error("Nobody should ask for a whole answer.")),
      doStream: async ({ prompt, abortSignal }) => this.#stream(prompt, abortSignal),
    } satisfies CurrentModel as CurrentModel;
    this.chatModel = {
      choiceId: "test",
      modelId: "tiny",
      label: "Tiny",
      contextLimit: 2_048,
      place: "device",
      languageModel,
      ...more,
    };
  }

  /** The system prompt of the last request. */
  get system(): string {
    const first = this.prompts.at(-1)?.[0];
    return first?.role === "system" ? first.content : "";
  }

  /** Waits until the model is asked. */
  asked(): Promise<WrittenAnswer> {
    const known = this.#answers.shift();
    return known === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(known);
  }

  #stream(prompt: Prompt, signal: AbortSignal | undefined): StreamResult {
    this.prompts.push(prompt);
    let controller: ReadableStreamDefaultController<StreamPart> | undefined;
    const stream = new ReadableStream<StreamPart>({
      start: (own) => {
        controller = own;
        own.enqueue({ type: "stream-start", warnings: [] });
        own.enqueue({ type: "text-start", id: "1" });
        signal?.addEventListener("abort", () => own.error(signal.reason));
      },
    });
    const say = (delta: string) => controller?.enqueue({ type: "text-delta", id: "1", delta });
    const answer: WrittenAnswer = {
      say,
      think: (delta) => {
        controller?.enqueue({ type: "reasoning-start", id: "r" });
        controller?.enqueue({ type: "reasoning-delta", id: "r", delta });
        controller?.enqueue({ type: "reasoning-end", id: "r" });
      },
      callTool: (toolName) => controller?.enqueue({ type: "tool-call", toolCallId: "c1", toolName, input: "{}" }),
      finish: (reason = "stop") => {
        const tokens = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
        const usage = {
          inputTokens: tokens,
          outputTokens: { total: undefined, text: undefined, reasoning: undefined },
        };
        controller?.enqueue({ type: "text-end", id: "1" });
        controller?.enqueue({ type: "finish", usage, finishReason: { unified: reason, raw: reason } });
        controller?.close();
      },
    };
    if (this.reply !== undefined) {
      say(this.reply(lastQuestion(prompt)));
      answer.finish();
      return { stream };
    }
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#answers.push(answer);
    else waiting(answer);
    return { stream };
  }
}

/** The last user message. */
export function lastQuestion(prompt: Prompt): string {
  const last = prompt.findLast(({ role }) => role === "user");
  if (last?.role !== "user") return "";
  return last.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** A manager with one model, or none. */
export function managerWith(current?: ChatModel): ModelManager & { use(model: ChatModel | undefined): void } {
  let state: ModelState = { choices: [], ...(current !== undefined && { current }) };
  const listeners = new Set<() => void>();
  const refuse = () => Promise.reject(new Error("Not part of this test."));
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => state,
    use: (model) => {
      state = { choices: [], ...(model !== undefined && { current: model }) };
      for (const listener of listeners) listener();
    },
    look: async () => undefined,
    choose: async () => undefined,
    cancel: () => undefined,
    endpoints: () => [],
    saveEndpoint: refuse,
    removeEndpoint: refuse,
    listModels: refuse,
  };
}
