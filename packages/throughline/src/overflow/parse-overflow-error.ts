import { isRecord, omitUndefined } from "../internal/json.ts";

/** Numbers of an overflow, as far as the provider reported them. */
export interface ReportedOverflow {
  /** Context limit of the model in tokens. */
  readonly contextLimit?: number;
  /** Input tokens that the provider counted; for some providers a lower bound. */
  readonly inputTokens?: number;
  /** Tokens that the call reserved for the reply. */
  readonly outputTokens?: number;
}

/**
 * Status codes for rate limits, missing permission and unavailable servers: not an overflow, regardless of the message.
 */
const OTHER_STATUSES: readonly unknown[] = [401, 402, 403, 404, 408, 429, 502, 503, 504, 529];

/** Messages of providers. Each has a word for the context or the prompt, so errors about token rates do not match. */
const SIGNS: readonly RegExp[] = [
  /context_length_exceeded|model_context_window_exceeded|exceed_context_size_error|request_too_large/,
  /(?:maximum|max) context length/,
  /prompt(?: is)? too long/,
  /exceed(?:s|ed)? (?:the |this |your )?(?:model'?s? |available |maximum |max )*context (?:length|limit|size|window)/,
  /input token count.*(?:exceeds the maximum|only supports up to)/,
  /input tokens exceed the (?:configured )?limit/,
  /input is too long for (?:the )?requested model/,
  /(?:longer than|too long to fit into) the (?:maximum model length|model)/,
];

const N = String.raw`(\d[\d,_]{0,30})`;
const LIMITS = patterns(
  `context length (?:is|of) (?:only )?${N}`,
  `> ${N}(?: maximum|,| |$)`,
  String.raw`maximum number of tokens allowed \(${N}\)`,
  `only supports up to ${N}`,
  String.raw`context size \(${N} tokens\)`,
  String.raw`\\?"n_ctx\\?"\s*:\s*${N}`,
  `context window of ${N}`,
  `(?:configured )?limit of ${N} tokens`,
  String.raw`context length \(?${N}`,
  `maximum model length of ${N}`,
  `model with ${N} maximum context length`,
);
const INPUTS = patterns(
  `resulted in ${N} tokens`,
  `prompt is too long: ${N} tokens`,
  String.raw`context limit: ${N} \+`,
  String.raw`input token count (?:is )?\(?${N}`,
  String.raw`request \(${N} tokens\)`,
  String.raw`\\?"n_prompt_tokens\\?"\s*:\s*${N}`,
  String.raw`requested tokens \(${N}\)`,
  `prompt contains (?:at least )?${N} (?:input )?tokens`,
  `request has ${N} input tokens`,
  String.raw`prompt \((?:total )?length ${N}\)`,
  String.raw`input \(${N} tokens\)`,
);
const OUTPUTS = patterns(
  `${N} (?:in|for) the (?:completion|output)`,
  `requested ${N} output tokens`,
  String.raw`context limit: [\d,_]+ \+ ${N}`,
  String.raw`max_(?:completion_)?tokens\W+is too large: ${N}`,
);
/** The parts that an input is broken down into, to be added up. */
const INPUT_PARTS = new RegExp(
  `${N} (?:in the (?:messages|functions|prompt)|in your prompt|of (?:text|tool|image|file|audio) input)`,
  "g",
);

/** Errors wrap each other, and bodies are quoted in them; deeper levels are not read. */
const MAX_DEPTH = 5;
const TEXT_FIELDS = [
  "message",
  "code",
  "type",
  "responseBody",
  "body",
  "error",
  "data",
  "cause",
  "lastError",
  "errors",
];

/**
 * Returns the numbers of an overflow if an error reports that the request was longer than the model's context;
 * otherwise `undefined`. Knows the messages of OpenAI, Anthropic, Google, OpenRouter, Ollama, vLLM, llama.cpp and
 * Bedrock.
 *
 * @param error Error of the AI SDK, error of a stream, response body or message text. Wrapped errors are searched too.
 *
 * @example
 * const overflow = parseOverflowError(error);
 * if (overflow !== undefined) await session.reportUsage({ ...overflow, wasRefused: true });
 */
export function parseOverflowError(error: unknown): ReportedOverflow | undefined {
  if (OTHER_STATUSES.includes(statusOf(error, 0))) return undefined;
  const text = [...new Set(textsOf(error, 0))].join("\n").toLowerCase();
  if (!SIGNS.some((sign) => sign.test(text))) return undefined;
  return omitUndefined({
    contextLimit: find(LIMITS, text),
    inputTokens: find(INPUTS, text) ?? sumOf(INPUT_PARTS, text),
    outputTokens: find(OUTPUTS, text),
  });
}

function patterns(...sources: readonly string[]): readonly RegExp[] {
  return sources.map((source) => new RegExp(source));
}

function find(wordings: readonly RegExp[], text: string): number | undefined {
  for (const wording of wordings) {
    const found = toNumber(wording.exec(text)?.[1]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same breakdown may be quoted several times: only the first is added up. */
function sumOf(part: RegExp, text: string): number | undefined {
  const start = text.search(part);
  if (start < 0) return undefined;
  const [breakdown = ""] = text.slice(start).split(/[)\n]/, 1);
  return [...breakdown.matchAll(part)].reduce((sum, one) => sum + (toNumber(one[1]) ?? 0), 0);
}

function toNumber(digits: string | undefined): number | undefined {
  const value = digits === undefined ? Number.NaN : Number(digits.replace(/[,_]/g, ""));
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function statusOf(error: unknown, depth: number): unknown {
  if (!isRecord(error) || depth > MAX_DEPTH) return undefined;
  const status = error.statusCode ?? error.status ?? (typeof error.code === "number" ? error.code : undefined);
  if (typeof status === "number") return status;
  return [error.lastError, error.error, error.cause].map((inner) => statusOf(inner, depth + 1)).find(isNumber);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function textsOf(error: unknown, depth: number): string[] {
  if (typeof error === "string") return [error];
  if (typeof error === "number") return [];
  if (Array.isArray(error)) return depth > MAX_DEPTH ? [] : error.slice(-3).flatMap((one) => textsOf(one, depth + 1));
  if (!isRecord(error) || depth > MAX_DEPTH) return [];
  const numbers = ["n_ctx", "n_prompt_tokens"].flatMap((name) =>
    typeof error[name] === "number" ? [`"${name}": ${error[name]}`] : [],
  );
  return [...numbers, ...TEXT_FIELDS.flatMap((name) => textsOf(error[name], depth + 1))];
}
