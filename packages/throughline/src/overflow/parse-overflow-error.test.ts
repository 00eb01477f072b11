import { APICallError, RetryError } from "ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseOverflowError } from "./parse-overflow-error.ts";

/** An error as the AI SDK throws it, with the provider's body and message. */
function refused(statusCode: number, body: unknown, message = "Bad Request"): APICallError {
  return new APICallError({
    message,
    statusCode,
    responseBody: typeof body === "string" ? body : JSON.stringify(body),
    url: "https://example.com/v1",
    requestBodyValues: {},
  });
}

const openAi = (message: string, code: unknown = "context_length_exceeded") => ({
  error: { message, type: "invalid_request_error", param: "messages", code },
});
const anthropic = (message: string) => ({ type: "error", error: { type: "invalid_request_error", message } });
const ofModel = (limit: number) => `This model's maximum context length is ${limit} tokens.`;

const CASES: readonly [string, unknown, object][] = [
  [
    "OpenAI, messages alone",
    refused(400, openAi(`${ofModel(128_000)} However, your messages resulted in 204308 tokens.`)),
    { contextLimit: 128_000, inputTokens: 204_308 },
  ],
  [
    "OpenAI, with tools and a reply",
    refused(
      400,
      openAi(
        `${ofModel(4_097)} However, you requested 4303 tokens (3703 in the messages, 100 in the functions, and 500 in the completion).`,
      ),
    ),
    { contextLimit: 4_097, inputTokens: 3_803, outputTokens: 500 },
  ],
  ["OpenAI, Responses", refused(400, openAi("Your input exceeds the context window of this model.")), {}],
  [
    "OpenAI, a limit of its own",
    refused(
      400,
      openAi("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 301234 tokens."),
    ),
    { contextLimit: 272_000, inputTokens: 301_234 },
  ],
  [
    "Anthropic",
    refused(400, anthropic("prompt is too long: 207791 tokens > 200000 maximum")),
    { contextLimit: 200_000, inputTokens: 207_791 },
  ],
  [
    "Anthropic, with the reply",
    refused(
      400,
      anthropic("input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length"),
    ),
    { contextLimit: 200_000, inputTokens: 178_959, outputTokens: 64_000 },
  ],
  [
    "Anthropic, bytes",
    refused(413, { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } }),
    {},
  ],
  [
    "Google",
    refused(400, {
      error: {
        code: 400,
        message: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
        status: "INVALID_ARGUMENT",
      },
    }),
    { contextLimit: 1_048_576, inputTokens: 1_200_293 },
  ],
  [
    "Google, Vertex",
    refused(
      400,
      "Unable to submit request because the input token count is 135538 but model only supports up to 131072",
    ),
    { contextLimit: 131_072, inputTokens: 135_538 },
  ],
  [
    "OpenRouter",
    refused(400, {
      error: {
        message:
          "This endpoint's maximum context length is 131072 tokens. However, you requested about 141607 tokens (10035 of text input, 500 of tool input, 131072 in the output).",
        code: 400,
      },
    }),
    { contextLimit: 131_072, inputTokens: 10_535, outputTokens: 131_072 },
  ],
  ["Ollama", refused(400, { error: "prompt too long; exceeded max context length by 4 tokens" }), {}],
  ["Ollama, another", refused(500, { error: "the input length exceeds the context length" }), {}],
  [
    "vLLM",
    refused(400, {
      object: "error",
      message: `${ofModel(16_384)} However, you requested 122946 tokens (112946 in the messages, 10000 in the completion).`,
      type: "BadRequestError",
      code: 400,
    }),
    { contextLimit: 16_384, inputTokens: 112_946, outputTokens: 10_000 },
  ],
  [
    "vLLM, newer",
    refused(
      400,
      openAi(
        `${ofModel(8_192)} However, you requested 64 output tokens and your prompt contains at least 8129 input tokens, for a total of at least 8193 tokens.`,
        400,
      ),
    ),
    { contextLimit: 8_192, inputTokens: 8_129, outputTokens: 64 },
  ],
  [
    "vLLM, the prompt alone",
    refused(400, "The prompt (total length 25938) is too long to fit into the model (context length 4096)."),
    { contextLimit: 4_096, inputTokens: 25_938 },
  ],
  [
    "llama.cpp",
    refused(400, {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 14_429,
        n_ctx: 8_192,
      },
    }),
    { contextLimit: 8_192, inputTokens: 14_429 },
  ],
  [
    "llama.cpp, in words",
    refused(
      400,
      openAi("request (1407 tokens) exceeds the available context size (256 tokens), try increasing it", 400),
    ),
    { contextLimit: 256, inputTokens: 1_407 },
  ],
  [
    "llama-cpp-python",
    "Requested tokens (2285) exceed context window of 2048",
    { contextLimit: 2_048, inputTokens: 2_285 },
  ],
  ["Bedrock", refused(400, { message: "Input is too long for requested model." }), {}],
];

describe("an overflow", () => {
  it.each(CASES)("is recognized in the message of %s, with its numbers", (_, error, numbers) => {
    expect(parseOverflowError(error)).toEqual(numbers);
  });

  it("is recognized in a stream, in a body, in a text and below other errors", () => {
    const body = anthropic("prompt is too long: 207791 tokens > 200000 maximum");
    const numbers = { contextLimit: 200_000, inputTokens: 207_791 };
    const thrown = refused(400, body, body.error.message);
    const retried = new RetryError({
      message: "Failed after 3 attempts",
      reason: "maxRetriesExceeded",
      errors: [thrown],
    });
    for (const error of [
      body,
      body.error,
      body.error.message,
      JSON.stringify(body),
      thrown,
      retried,
      new Error("x", { cause: thrown }),
    ]) {
      expect(parseOverflowError(error)).toEqual(numbers);
    }
    const parsed = CASES.find(([name]) => name === "llama.cpp")?.[1] as APICallError;
    expect(parseOverflowError(JSON.parse(parsed.responseBody ?? ""))).toEqual({
      contextLimit: 8_192,
      inputTokens: 14_429,
    });
  });

  it("is not recognized in errors about rates, keys and other mistakes", () => {
    const others = [
      refused(
        429,
        openAi("Rate limit reached on tokens per min (TPM): Limit 30000, Requested 35000.", "rate_limit_exceeded"),
      ),
      refused(429, openAi("Request too large: maximum context length", null)),
      refused(401, openAi("Incorrect API key provided", "invalid_api_key")),
      refused(
        400,
        openAi("max_tokens is too large: 200000. This model supports at most 16384 completion tokens.", null),
      ),
      refused(400, anthropic("messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks")),
      refused(
        400,
        openAi("Invalid 'messages': an assistant message with 'tool_calls' must be followed by tool messages", null),
      ),
      new DOMException("The operation was aborted", "AbortError"),
      undefined,
      null,
      42,
    ];
    for (const error of others) expect(parseOverflowError(error)).toBeUndefined();
  });

  it("is searched in any value without throwing, also in cyclic ones", () => {
    const loop: Record<string, unknown> = { message: "prompt is too long" };
    loop.cause = loop;
    expect(parseOverflowError(loop)).toEqual({});
    fc.assert(
      fc.property(fc.anything(), (value) => {
        parseOverflowError(value);
        parseOverflowError({ message: `maximum context length is ${JSON.stringify(value)}` });
      }),
    );
  });
});
