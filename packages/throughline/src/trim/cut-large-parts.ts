import { isRecord } from "../internal/json.ts";
import type { Message } from "../message/message.ts";
import { handleOf, type Part, type ToolCallPart } from "../message/part.ts";
import { withChangedParts } from "../message/repair/repair.ts";
import { isErrorOutput, toolOutputText } from "../message/tool-output.ts";
import { jsonText } from "../tokens/count-bytes.ts";

interface CutDeps {
  /** Counts the tokens of a text. */
  readonly count: (text: string) => number;
  /** Counts the tokens of a part. */
  readonly tokensOf: (part: Part) => number;
  /** True if notes name handles. */
  readonly namesHandles: boolean;
  /** Parts that must not change. */
  readonly fixed: ReadonlySet<Part>;
  /** Cache of outputs and other values as text, because each attempt needs them. */
  readonly written: Map<Part, string>;
}

interface CutWindow {
  readonly messages: readonly Message[];
  /** Ids of parts that were truncated or removed. */
  readonly cut: readonly string[];
}

/**
 * Truncates the largest parts to head and tail, all to the same cap: the largest cap at which everything fits. Notes
 * stay whole.
 *
 * @returns `undefined` if the cap would be below `minTokens`.
 */
export function cutLargeParts(
  messages: readonly Message[],
  notes: readonly Part[],
  options: TrimOptions,
  minTokens: number,
): CutWindow | undefined {
  const fits = (list: readonly Message[]) => tokensOfAll(list, options) <= options.budget;
  if (fits(messages)) return { messages, cut: [] };
  const fixed = new Set([...boundParts(messages), ...notes]);
  const { count, tokensOf, namesHandles = true } = options;
  const deps: CutDeps = { count, tokensOf, namesHandles, fixed, written: new Map() };
  const apply = (cap: number) => messages.flatMap((message) => cutMessage(message, cap, deps));
  const least = apply(minTokens);
  if (!fits(least)) return undefined;
  const sizes = messages.flatMap(({ parts }) => parts.map(options.tokensOf));
  const high = sizes.reduce((most, tokens) => Math.max(most, tokens), minTokens);
  const range = { low: minTokens, high, expected: expectedCap(messages, fixed, options) };
  const done = atLargestCap(range, (cap) => {
    const tried = apply(cap);
    return fits(tried) ? tried : undefined;
  });
  return { messages: done ?? least, cut: changedParts(messages, done ?? least) };
}

/**
 * Tries caps above `low` and below `high`, and returns the result for the largest one that fits, within 5%. Each
 * attempt truncates and counts all large parts, so the cap computed from the sizes is tried before a binary search.
 */
function atLargestCap<T>(
  { expected, ...range }: { readonly low: number; readonly high: number; readonly expected: number },
  attempt: (cap: number) => T | undefined,
): T | undefined {
  let { low, high } = range;
  let done: T | undefined;
  for (const share of [1, 0.96, 0.9]) {
    const cap = Math.floor(expected * share);
    if (cap <= low || cap >= high) continue;
    const tried = attempt(cap);
    if (tried === undefined) {
      high = cap;
      continue;
    }
    low = cap;
    high = Math.min(high, Math.floor(cap * 1.05));
    done = tried;
    break;
  }
  while (high - low > Math.max(8, low * 0.05)) {
    const middle = Math.floor((low + high) / 2);
    const tried = attempt(middle);
    if (tried === undefined) high = middle;
    else {
      low = middle;
      done = tried;
    }
  }
  return done;
}

/** Cap at which everything fits, if truncated parts take exactly the cap. */
function expectedCap(messages: readonly Message[], fixed: ReadonlySet<Part>, options: TrimOptions): number {
  const sizes = messages.flatMap(({ parts }) => parts.filter((part) => !fixed.has(part)).map(options.tokensOf));
  let tokens = options.budget - tokensOfAll(messages, options) + sizes.reduce((sum, size) => sum + size, 0);
  let left = sizes.length;
  for (const size of sizes.sort((a, b) => a - b)) {
    if (size > tokens / left) return tokens / left;
    tokens -= size;
    left -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

function cutMessage(message: Message, cap: number, deps: CutDeps): Message[] {
  const parts = message.parts.flatMap((part) => cutPart(part, cap, deps) ?? []);
  return parts.length === 0 && message.parts.length > 0 ? [] : [withChangedParts(message, parts)];
}

function changedParts(before: readonly Message[], after: readonly Message[]): string[] {
  const kept = new Set(after.flatMap((message) => message.parts));
  return before.flatMap((message) => message.parts.filter((part) => !kept.has(part)).map((part) => part.id));
}

/** Maximum characters of non-text input values. A note replaces longer ones. */
const MAX_OTHER_VALUES = 400_000;

/** Truncates a part to a number of tokens if possible; `undefined` if it can be removed, otherwise the part itself. */
function cutPart(part: Part, cap: number, deps: CutDeps): Part | undefined {
  if (deps.fixed.has(part)) return part;
  const tokens = deps.tokensOf(part);
  if (tokens <= cap) return part;
  const note = deps.namesHandles ? `cut here; recall the whole as ${handleOf(part.id)}` : "cut here";
  switch (part.type) {
    case "text":
      return { ...withoutOrigin(part), text: cutText(part.text, cap, note, deps.count, tokens) } as Part;
    case "compaction-marker":
      return { ...withoutOrigin(part), summary: cutText(part.summary, cap, note, deps.count, tokens) } as Part;
    case "reasoning":
    case "reasoning-file":
      // Truncated reasoning has no use.
      return undefined;
    case "tool-result": {
      const output = deps.written.get(part) ?? toolOutputText(part.output);
      deps.written.set(part, output);
      const value = cutText(output, cap, note, deps.count, tokens);
      return {
        ...withoutOrigin(part),
        output: { type: isErrorOutput(part.output) ? "error-text" : "text", value },
      } as Part;
    }
    case "tool-call":
      return { ...withoutOrigin(part), input: cutInput(part, cap, note, deps) } as Part;
    case "file":
      return {
        id: part.id,
        type: "text",
        synthetic: true,
        text: `[File ${part.filename ?? ""} ${part.mediaType} left out${deps.namesHandles ? `; recall it as ${handleOf(part.id)}` : ""}]`,
      };
    default:
      return part;
  }
}

/**
 * Removes token counts, foreign fields, signatures and item ids of a changed part: a provider would use the original
 * that they refer to.
 */
export function withoutOrigin<P extends Part>(part: P): P {
  const { tokens: _, foreign: __, ...kept } = part;
  if (!isSigned(part)) return kept as P;
  const { providerOptions: ___, ...unsigned } = kept;
  return unsigned as P;
}

/** Truncates the long texts of an input. A note replaces the input if that is not enough. */
function cutInput(part: ToolCallPart, cap: number, note: string, { count, written }: CutDeps): unknown {
  const { input } = part;
  if (isRecord(input)) {
    const entries = Object.entries(input);
    const others = written.get(part) ?? jsonText(entries.filter(([, value]) => typeof value !== "string"));
    written.set(part, others);
    if (others.length > MAX_OTHER_VALUES) return { note };
    const share = Math.max(16, Math.floor((cap * 0.8) / Math.max(1, entries.length)));
    const cut = Object.fromEntries(
      entries.map(([name, value]) => [name, typeof value === "string" ? cutText(value, share, note, count) : value]),
    );
    if (count(jsonText(cut)) <= cap) return cut;
  }
  return { note };
}

/** Option names that tie a part to the reply it came with. */
const BINDING_OPTION = /signature|redacted|encrypted|^itemId$|^reasoning_details$/i;

/** True if a provider signed the part or stores it as an item. Providers refuse such a part if it was changed. */
export function isSigned(part: Part): boolean {
  return hasOption(part, (name) => BINDING_OPTION.test(name));
}

/**
 * Returns the parts that must stay unchanged or be dropped with their whole reply: signed reasoning next to calls, and
 * calls that a signature or an approval covers.
 */
export function boundParts(messages: readonly Message[]): ReadonlySet<Part> {
  const approved = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((p) => (p.type === "tool-approval-request" ? [p.toolCallId] : []))),
  );
  const isBoundCall = (part: Part) => part.type === "tool-call" && (approved.has(part.toolCallId) || isSigned(part));
  return new Set(
    replies(messages).flatMap((parts) => {
      const hasCalls = parts.some((part) => part.type === "tool-call");
      const isWhole = parts.some((part) => isReasoning(part) && isSigned(part) && (hasCalls || isItem(part)));
      return parts.filter((part) => isBoundCall(part) || (isWhole && isSigned(part)));
    }),
  );
}

/** Parts of each run of assistant messages: reasoning may be in a message before its call. */
function replies(messages: readonly Message[]): Part[][] {
  const runs: Part[][] = [];
  messages.forEach(({ role, parts }, index) => {
    if (role !== "assistant") return;
    const run = messages[index - 1]?.role === "assistant" ? runs.at(-1) : undefined;
    if (run === undefined) runs.push([...parts]);
    else run.push(...parts);
  });
  return runs;
}

/** Reasoning without a signature may be removed on its own. */
function isReasoning({ type }: Part): boolean {
  return type === "reasoning" || type === "reasoning-file";
}

/** True for an item that the provider stores. Providers refuse calls and texts of its reply without it. */
function isItem(part: Part): boolean {
  return hasOption(part, (name) => name === "itemId");
}

function hasOption({ providerOptions = {} }: Part, fits: (name: string) => boolean): boolean {
  return Object.values(providerOptions).some((options) =>
    Object.entries(options ?? {}).some(([name, value]) => fits(name) && value !== undefined && value !== null),
  );
}

/**
 * Returns head and tail of a text within a number of tokens, with a note between them; the note is included in the
 * count. Pass the approximate token count of the text if you know it: counting a large text is slow.
 */
export function cutText(
  text: string,
  cap: number,
  note: string,
  count: (text: string) => number,
  tokens: number = count(text),
): string {
  if (tokens <= cap) return text;
  const middle = `\n[… ${note} …]\n`;
  const perToken = text.length / tokens;
  for (let left = cap - count(middle); left > 0; left = Math.floor(left * 0.8) - 1) {
    const head = whole(text, Math.floor(left * 0.6 * perToken));
    const tail = whole(text, text.length - Math.floor(left * 0.4 * perToken));
    const cut = `${text.slice(0, head)}${middle}${text.slice(tail)}`;
    if (count(cut) <= cap) return cut;
  }
  return middle.trim();
}

/** Moves a position that splits a surrogate pair to its start. */
function whole(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}

export interface TrimOptions {
  /** Budget in tokens for the messages alone. */
  readonly budget: number;
  /** Counts the tokens of a text. */
  readonly count: (text: string) => number;
  /** Counts the tokens of a part. */
  readonly tokensOf: (part: Part) => number;
  /** Counts the tokens of a message. */
  readonly messageTokens: (message: Message) => number;
  /**
   * Returns the ids of the appended messages behind messages of the window, in order: more if some were merged, fewer
   * if some are synthetic. Default: their own ids, without synthetic messages.
   */
  readonly sourcesOf?: (messages: readonly Message[]) => readonly string[];
  /** True if notes name handles, for readers that can expand them. Default: `true`. */
  readonly namesHandles?: boolean;
  /** The request that the messages are a part of: errors name its budget, in the provider's tokens. */
  readonly request?: { readonly budget: number; readonly factor: number };
}

export function tokensOfAll(
  messages: readonly Message[],
  { messageTokens }: Pick<TrimOptions, "messageTokens">,
): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}
