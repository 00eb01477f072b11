import { valuesText } from "../internal/json.ts";
import { hashText, termHashes } from "../language/terms.ts";
import { readUserWords } from "../ledger/quoted/user-words.ts";
import { findConstraints } from "../ledger/read/find-rules.ts";
import { readCall } from "../ledger/read/read-call.ts";
import type { TokenUsage } from "../message/message.ts";
import type { ToolCallPart } from "../message/part.ts";
import { inputTokens } from "./window-tracker.ts";

/** Rules in a longer text are mostly part of a prompt that is used again and again. */
const MAX_TEXT = 1_500;
const MAX_RULES = 200;
/** Share of a rule's terms that a summary must have to state the rule. */
const MIN_SHARE = 0.6;
const MIN_TERMS = 2;

/** A standing rule of the user, and the calls that had it in their window. */
export interface RulePresence {
  /** The user's words. */
  readonly text: string;
  /** Index of the message that gave it. */
  readonly message: number;
  /** Ranges of calls with the rule in the window, first and last call inclusive. */
  readonly present: readonly (readonly [first: number, last: number])[];
  /** First call without the rule; missing if it never left the window. */
  readonly missingFrom?: number;
  /** Index of the message that gave it again after it had left the window. */
  readonly repeatedAt?: number;
}

interface Rule {
  readonly text: string;
  readonly message: number;
  readonly terms: ReadonlySet<number>;
  readonly present: [number, number][];
  isPresent: boolean;
  missingFrom?: number;
  repeatedAt?: number;
}

/** Follows the user's standing rules through the windows of a session. */
export class RuleTracker {
  readonly #rules: Rule[] = [];

  /** Takes the user's words in a message. */
  speech(speech: string, message: number): void {
    const { own } = readUserWords(speech);
    if (own.length > MAX_TEXT) return;
    for (const { text, kind } of findConstraints(own)) if (kind === undefined) this.#note(text, message);
  }

  /** Rules that the summary or the kept messages do not state leave the window. */
  compaction(rest: string): void {
    const terms = termHashes(rest);
    for (const rule of this.#rules) if (rule.isPresent) rule.isPresent = shareOf(rule.terms, terms) >= MIN_SHARE;
  }

  /** Takes a call. */
  call(index: number): void {
    for (const rule of this.#rules) {
      const last = rule.present.at(-1);
      if (!rule.isPresent) rule.missingFrom ??= index;
      else if (last !== undefined && last[1] === index - 1) last[1] = index;
      else rule.present.push([index, index]);
    }
  }

  result(): readonly RulePresence[] {
    return this.#rules.map(({ isPresent: _, terms: _terms, ...rule }) => rule);
  }

  #note(text: string, message: number): void {
    const terms = termHashes(text);
    if (terms.size < MIN_TERMS) return;
    const known = this.#rules.find((rule) => isSame(rule.terms, terms));
    if (known === undefined) {
      if (this.#rules.length < MAX_RULES) this.#rules.push({ text, message, terms, present: [], isPresent: true });
      return;
    }
    if (!known.isPresent) known.repeatedAt ??= message;
    known.isPresent = true;
  }
}

function shareOf(terms: ReadonlySet<number>, others: ReadonlySet<number>): number {
  return [...terms].filter((term) => others.has(term)).length / terms.size;
}

function isSame(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return shareOf(a, b) >= MIN_SHARE && shareOf(b, a) >= MIN_SHARE;
}

/** Calls after a compaction that are compared with those before it. */
const MAX_CALLS = 40;
const MAX_KNOWN = 200_000;
const MAX_TARGET = 2_000;

/** A lookup that was made before a compaction, and again after it. */
export interface RepeatedLookup {
  readonly toolName: string;
  /** The file, or the arguments in short. */
  readonly target: string;
  /** Index of the message with the call. */
  readonly message: number;
  /** Tokens of the result. */
  readonly tokens: number;
}

interface Open {
  readonly lookup: Omit<RepeatedLookup, "tokens">;
  readonly lookups: RepeatedLookup[];
}

/** Finds calls that repeat a lookup from before the last compaction. */
export class LookupTracker {
  /** Lookups of the windows before the current one. */
  #before = new Set<number>();
  #current = new Set<number>();
  readonly #open = new Map<string, Open>();
  readonly #byCompaction: RepeatedLookup[][] = [];
  #calls = 0;

  call(part: ToolCallPart, message: number): void {
    const lookup = lookupOf(part);
    const lookups = this.#byCompaction.at(-1);
    this.#calls += 1;
    if (lookup === undefined) return;
    const key = hashText(lookup.key);
    const isRepeated = this.#before.has(key) && !this.#current.has(key);
    if (lookups !== undefined && isRepeated && this.#calls <= MAX_CALLS)
      this.#open.set(part.toolCallId, {
        lookup: { toolName: part.toolName, target: lookup.target, message },
        lookups,
      });
    if (this.#before.size + this.#current.size < MAX_KNOWN) this.#current.add(key);
  }

  result(toolCallId: string, tokens: number): void {
    const open = this.#open.get(toolCallId);
    this.#open.delete(toolCallId);
    open?.lookups.push({ ...open.lookup, tokens });
  }

  compaction(): void {
    this.#before = new Set([...this.#before, ...this.#current]);
    this.#current = new Set();
    this.#calls = 0;
    this.#byCompaction.push([]);
  }

  /** Repeated lookups after each compaction, most tokens first. */
  lookups(): readonly (readonly RepeatedLookup[])[] {
    return this.#byCompaction.map((lookups) => lookups.toSorted((a, b) => b.tokens - a.tokens));
  }
}

const LOOKUP_TOOL = /read|view|search|grep|glob|find|fetch|list|^ls$|cat|open|browse/i;

/** A call that only reads: of a file, its path; of a search or a command, all of its arguments. */
function lookupOf(part: ToolCallPart): { readonly key: string; readonly target: string } | undefined {
  const { touches, shell, todos } = readCall(part);
  const isReading = touches.length > 0 && touches.every(({ action }) => action === "read");
  const isSearch = shell === undefined && touches.length === 0 && LOOKUP_TOOL.test(part.toolName);
  if (todos !== undefined || !(isReading || isSearch)) return undefined;
  const [first] = touches;
  if (shell === undefined && first !== undefined) return { key: `${part.toolName} ${first.path}`, target: first.path };
  const target = valuesText(part.input).replace(/\s+/g, " ").trim().slice(0, MAX_TARGET);
  return target === "" ? undefined : { key: `${part.toolName} ${target}`, target };
}

/** A prefix counts as lost if at least this much of it was not read from the cache: tokens, and share of the window. */
const MIN_LOST = { tokens: 2_000, share: 0.1 } as const;
/** Providers keep a prompt cache for five minutes unless they are asked for more. */
const CACHE_TIME = 5 * 60_000;

/** Reasons for a lost prefix. `changed`: an earlier part of the window changed without a recorded compaction. */
type CacheLossCause = "compaction" | "model" | "expired" | "changed";

/** Tokens that a call paid for. */
export interface CacheUse {
  readonly read: number;
  readonly written: number;
  /** Tokens without a cache. */
  readonly uncached: number;
  /** Tokens of the prefix that were sent again without being read from the cache, and why. */
  readonly lost?: CacheLoss;
}

interface CacheLoss {
  readonly tokens: number;
  readonly cause: CacheLossCause;
  /** Index of the message that the first changed part belongs to; missing if it belongs to the instructions. */
  readonly message?: number;
}

interface Call {
  readonly usage: TokenUsage;
  readonly at: number;
  readonly modelId: string | undefined;
}

/** Reads the prompt-cache use of each call from the usage that the provider reported. */
export class CacheBill {
  #last: Call | undefined;
  #isCached = false;
  #isCompacted = false;

  compaction(): void {
    this.#isCompacted = true;
  }

  /** Undefined if the call has no usage. */
  call(call: Partial<Call>): CacheUse | undefined {
    const { usage, at = 0, modelId } = call;
    if (usage === undefined) return undefined;
    const { read, write: written } = usage.cache;
    const lost = this.#lossAt({ usage, at, modelId });
    this.#isCached ||= read + written > 0;
    this.#last = { usage, at, modelId };
    this.#isCompacted = false;
    return { read, written, uncached: usage.input, ...(lost === undefined ? {} : { lost }) };
  }

  #lossAt({ usage, at, modelId }: Call): CacheUse["lost"] {
    const last = this.#last;
    if (last === undefined || !this.#isCached) return undefined;
    const before = inputTokens(last.usage);
    // A compaction makes the window smaller; tokens that were not sent again were not paid again.
    const tokens = Math.min(before - usage.cache.read, usage.cache.write + usage.input);
    if (tokens < MIN_LOST.tokens || tokens < before * MIN_LOST.share) return undefined;
    return { tokens, cause: this.#causeAt(last, { at, modelId }) };
  }

  #causeAt(last: Call, { at, modelId }: Pick<Call, "at" | "modelId">): CacheLossCause {
    if (this.#isCompacted) return "compaction";
    if (modelId !== last.modelId) return "model";
    return at - last.at > CACHE_TIME ? "expired" : "changed";
  }
}
