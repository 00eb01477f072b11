import { ABOVE_ZERO, checkOptions, type OptionRules } from "../errors/check-options.ts";
import { ModelError } from "../errors/model-errors.ts";
import { type ModelServer, readServer, SERVER_RULES, type ServerOptions } from "../http/model-server.ts";
import { type RequestLimits, requestJson } from "../http/request-json.ts";
import { arrayField, isRecord, type JsonRecord, omitUndefined, recordField, stringField } from "../internal/json.ts";
import { runInTime } from "../ports/clock.ts";
import type { Model, ModelReply, ModelRequest } from "../ports/model.ts";

export interface OpenAiCompatibleOptions extends ServerOptions {
  /** Model name on the server. Default: the first chat model that the server lists, asked with the first request. */
  readonly model?: string;
  /** Context window in tokens. Default: by model name. */
  readonly contextLimit?: number;
  /** Time limit per text in milliseconds, including retries. Default: 120,000. */
  readonly timeLimit?: number;
}

const MODEL_RULES: OptionRules<OpenAiCompatibleOptions> = {
  ...SERVER_RULES,
  model: [(value) => typeof value === "string" && value !== "", "a model name, or none"],
  contextLimit: ABOVE_ZERO,
  timeLimit: ABOVE_ZERO,
};

const DEFAULT_TIME_LIMIT = 120_000;

/**
 * Creates a model for a server with OpenAI's chat completions API: OpenAI, OpenRouter, Ollama, vLLM, llama.cpp and many
 * others.
 *
 * @param options Server, model name, limits and retries.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const local = openAiCompatibleModel({ baseUrl: "http://127.0.0.1:11434/v1", model: "qwen3:8b" });
 * const tl = await createThroughline({ model: local });
 */
export function openAiCompatibleModel(options: OpenAiCompatibleOptions): Model {
  checkOptions("openAiCompatibleModel", options, MODEL_RULES);
  const { contextLimit, timeLimit = DEFAULT_TIME_LIMIT } = options;
  const server = readServer("chat/completions", options);
  const name = nameFinder(options);
  const ask = createRequester(server);
  const generate: Model["generate"] = async (request) => {
    const { signal } = request;
    const until = Date.now() + timeLimit;
    const work = async (inner: AbortSignal) => {
      const limits = { signal: inner, until };
      return ask(await name.find(limits), request, limits);
    };
    const reply = await runInTime(server.name, work, omitUndefined({ timeLimit, signal }));
    if ("value" in reply) return reply.value;
    if (signal?.aborted) throw signal.reason;
    throw reply.cause ?? new ModelError("timed-out", `${reply.failure}.`);
  };
  return {
    get modelId() {
      return name.known;
    },
    ...omitUndefined({ contextLimit }),
    generate,
  };
}

/** The name of the model: as given, or asked once. */
function nameFinder({ model, ...server }: OpenAiCompatibleOptions) {
  let known = model;
  return {
    /** `unknown` until it was asked. */
    get known(): string {
      return known ?? "unknown";
    },
    async find(limits: RequestLimits): Promise<string> {
      known ??= await firstListedModel(readServer("models", server), limits);
      return known;
    },
  };
}

const COMMON_DIALECT: Dialect = { limitName: "max_tokens", hasTemperature: true };

/** Retries with other parameters if the server names one that it does not accept, and remembers them. */
function createRequester(
  server: ModelServer,
): (model: string, request: ModelRequest, limits: RequestLimits) => Promise<ModelReply> {
  let dialect = COMMON_DIALECT;
  return async (model, request, limits) => {
    for (;;) {
      const used = dialect;
      try {
        return readCompletion(await requestJson(server, writeRequest(model, request, used), limits), server.name);
      } catch (error) {
        const other = error instanceof ModelError ? otherDialect(used, error) : undefined;
        if (other === undefined) throw error;
        dialect = other;
      }
    }
  };
}

/** Parameters that a server accepts, learned from its refusals. */
interface Dialect {
  readonly limitName: "max_tokens" | "max_completion_tokens";
  readonly hasTemperature: boolean;
}

function writeRequest(model: string, request: ModelRequest, dialect: Dialect): JsonRecord {
  const { system, prompt, maxOutputTokens, temperature } = request;
  return omitUndefined({
    model,
    messages: [...(system === "" ? [] : [{ role: "system", content: system }]), { role: "user", content: prompt }],
    [dialect.limitName]: maxOutputTokens,
    temperature: dialect.hasTemperature ? temperature : undefined,
    stream: false,
  });
}

/**
 * Returns other parameters if a refusal names one that the server does not accept; `undefined` if there is nothing left
 * to change.
 */
function otherDialect(dialect: Dialect, { status, message }: ModelError): Dialect | undefined {
  if (status !== 400 && status !== 422) return undefined;
  if (dialect.limitName === "max_tokens" && message.includes("max_completion_tokens")) {
    return { ...dialect, limitName: "max_completion_tokens" };
  }
  const isAboutTemperature = /temperature/i.test(message) && /support|default|deprecated|not allowed/i.test(message);
  return dialect.hasTemperature && isAboutTemperature ? { ...dialect, hasTemperature: false } : undefined;
}

/** @throws ModelError if the reply is not a completion. */
function readCompletion(answer: unknown, serverName: string): ModelReply {
  const [choice] = (isRecord(answer) && arrayField(answer, "choices")) || [];
  const message = isRecord(choice) ? recordField(choice, "message") : undefined;
  if (message === undefined) throw new ModelError("wrong-answer", `${serverName} returned a reply without a message.`);
  return omitUndefined({
    text: textOf(message),
    hasToolCalls: (arrayField(message, "tool_calls") ?? []).length > 0,
    isCut: (isRecord(choice) && choice.finish_reason === "length") || undefined,
  });
}

/** Content is usually a string, sometimes a list of parts. */
function textOf(message: JsonRecord): string {
  const parts = arrayField(message, "content") ?? [];
  const texts = parts
    .filter(isRecord)
    .flatMap((part) => (part.type === "text" ? (stringField(part, "text") ?? []) : []));
  return stringField(message, "content") ?? texts.join("");
}

/** Models that do not write text. */
const NO_CHAT_MODEL = /embed|rerank|whisper|tts|moderation/i;

/**
 * The names of the models that a server lists.
 *
 * @throws ModelError if the server does not answer with a list.
 */
export async function listModels(server: ModelServer, limits: RequestLimits): Promise<readonly string[]> {
  const answer = await requestJson(server, undefined, limits);
  const list = isRecord(answer) ? (arrayField(answer, "data") ?? arrayField(answer, "models")) : undefined;
  if (list === undefined) throw new ModelError("wrong-answer", `${server.name} returned no list of models.`);
  return list.filter(isRecord).flatMap((one) => stringField(one, "id") ?? stringField(one, "name") ?? []);
}

/**
 * The first listed model that writes text.
 *
 * @throws ModelError if there is none, or the server does not answer.
 */
export async function firstListedModel(server: ModelServer, limits: RequestLimits): Promise<string> {
  const found = (await listModels(server, limits)).find((name) => !NO_CHAT_MODEL.test(name));
  if (found === undefined) throw new ModelError("wrong-answer", `${server.name} lists no chat model.`);
  return found;
}
