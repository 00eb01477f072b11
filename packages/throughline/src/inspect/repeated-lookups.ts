import { valuesText } from "../internal/json.ts";
import { hashText } from "../language/terms.ts";
import { readCall } from "../ledger/read/read-call.ts";
import type { ToolCallPart } from "../message/part.ts";

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
