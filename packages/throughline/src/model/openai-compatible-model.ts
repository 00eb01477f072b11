import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import { ModelError } from "../errors/model-error.ts";
import { omitUndefined } from "../internal/json.ts";
import type { Model, ModelReply, ModelRequest } from "../ports/model.ts";
import { runInTime } from "../ports/run-in-time.ts";
import { COMMON_DIALECT, otherDialect, readCompletion, writeRequest } from "./chat-completion.ts";
import { type ModelServer, readServer, type ServerOptions } from "./model-server.ts";
import { type AskLimits, postJson } from "./post-json.ts";

export interface OpenAiCompatibleOptions extends ServerOptions {
  /** The name of the model, as its server knows it. */
  readonly model: string;
  /** Tokens that it takes at the most; known from its name where it is not given. */
  readonly contextLimit?: number;
  /** Milliseconds after which a text is given up, all tries together; two minutes, where nothing is said. */
  readonly timeLimit?: number;
}

const DEFAULT_TIME_LIMIT = 120_000;

/**
 * A model behind a server that speaks as OpenAI's chat completions do: OpenAI, OpenRouter, Ollama, vLLM, llama.cpp and
 * many others.
 *
 * @example
 * const model = openAiCompatibleModel({ baseUrl: "http://127.0.0.1:11434/v1", model: "qwen3:8b" });
 * const tl = await createThroughline({ model });
 */
export function openAiCompatibleModel(options: OpenAiCompatibleOptions): Model {
  const { model, contextLimit, timeLimit = DEFAULT_TIME_LIMIT } = options;
  if (typeof model !== "string" || model === "") throw new InvalidOptionError("model", model, "the name of a model");
  if (contextLimit !== undefined && !(contextLimit > 0)) {
    throw new InvalidOptionError("contextLimit", contextLimit, "a number of tokens above 0");
  }
  if (!(timeLimit > 0)) throw new InvalidOptionError("timeLimit", timeLimit, "milliseconds above 0");
  const server = readServer("chat/completions", options);
  const ask = createAsk(model, server);
  const generate: Model["generate"] = async (request) => {
    const { signal } = request;
    const until = Date.now() + timeLimit;
    const reply = await runInTime(
      server.name,
      (inner) => ask(request, { signal: inner, until }),
      omitUndefined({ timeLimit, signal }),
    );
    if ("value" in reply) return reply.value;
    if (signal?.aborted) throw signal.reason;
    throw reply.cause ?? new ModelError("timed-out", `${reply.failure}.`);
  };
  return omitUndefined({ modelId: model, contextLimit, generate });
}

/** Asks again in other words where the server says which it does not take, and remembers them. */
function createAsk(
  model: string,
  server: ModelServer,
): (request: ModelRequest, limits: AskLimits) => Promise<ModelReply> {
  let dialect = COMMON_DIALECT;
  return async (request, limits) => {
    for (;;) {
      const used = dialect;
      try {
        return readCompletion(await postJson(server, writeRequest(model, request, used), limits), server.name);
      } catch (error) {
        const other = error instanceof ModelError ? otherDialect(used, error) : undefined;
        if (other === undefined) throw error;
        dialect = other;
      }
    }
  };
}
