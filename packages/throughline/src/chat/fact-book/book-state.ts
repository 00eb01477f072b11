import { StoreError } from "../../errors/store-errors.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";
import { omitUndefined, sameJson } from "../../internal/json.ts";
import { messageOf } from "../../internal/text.ts";
import { type ChatFact, isCurrentFact } from "../../memory/facts/fact-rules.ts";
import { type FactCategory, isDeleted } from "../../ports/memory.ts";
import { type MemoryFact, toMemoryFact } from "../memory-fact.ts";
import type { FactBookState, MemoryIndex, PendingClear, Removal } from "./fact-book.ts";

const ORDER: Readonly<Record<FactCategory, number>> = { project: 0, preference: 1, identity: 2 };

export interface BookInput {
  readonly status: FactBookState["status"];
  readonly problem: string | undefined;
  /** All facts that are not being cleared. */
  readonly known: readonly ChatFact[];
  readonly removals: readonly Removal[];
  readonly clearing?: PendingClear;
  readonly clearedAt?: number;
  readonly saved: FactBookState["saved"] | undefined;
}

export const EMPTY_STATE: FactBookState = {
  status: "loading",
  facts: [],
  index: buildIndex([]),
  pinned: 0,
  deleted: [],
  past: [],
  removals: [],
};

/** Computes the state of a panel. Unchanged facts keep their identity. */
export function bookState({ known, ...input }: BookInput, before: FactBookState): FactBookState {
  const former = new Map([...before.deleted, ...before.past, ...before.facts].map((fact) => [fact.id, fact]));
  const replaced = known.filter(isReplaced).sort(byEnd);
  const show = (fact: ChatFact): MemoryFact => {
    const shown = toMemoryFact(withPredecessor(fact, replaced));
    const same = former.get(fact.id);
    return same !== undefined && sameJson(same, shown) ? same : shown;
  };
  const facts = known.filter(isCurrentFact).map(show).sort(byPlace);
  const state = omitUndefined({
    ...input,
    facts,
    index: buildIndex(facts),
    pinned: facts.filter(({ pinned }) => pinned).length,
    deleted: known.filter(isDeleted).sort(byArchival).map(show),
    past: replaced.map(show),
  });
  return sameJson(state, before) ? before : state;
}

function isReplaced(fact: ChatFact): boolean {
  return (fact.supersededBy !== undefined || fact.validTo !== undefined) && !isCurrentFact(fact);
}

/** A fact that ended when another value of the same key began was replaced too, without a link. */
function withPredecessor(fact: ChatFact, replaced: readonly ChatFact[]): ChatFact {
  const { supersedes, key, subject, validFrom } = fact;
  if (supersedes !== undefined || key === undefined) return fact;
  const before = replaced.find(
    (one) => one.key === key && one.subject === subject && (one.validTo ?? 0) <= validFrom && one.id !== fact.id,
  );
  return before === undefined ? fact : { ...fact, supersedes: before.id };
}

function byEnd(a: ChatFact, b: ChatFact): number {
  return (b.validTo ?? 0) - (a.validTo ?? 0) || byId(a, b);
}

function byPlace(a: MemoryFact, b: MemoryFact): number {
  return (
    Number(b.pinned) - Number(a.pinned) ||
    ORDER[a.category] - ORDER[b.category] ||
    b.lastSeen - a.lastSeen ||
    byId(a, b)
  );
}

function byArchival(a: ChatFact, b: ChatFact): number {
  return (b.archivedAt ?? 0) - (a.archivedAt ?? 0) || byId(a, b);
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return Number(a.id < b.id) - Number(a.id > b.id);
}

/**
 * Groups facts by category; keeps their order.
 *
 * @param facts Facts of a user.
 *
 * @example
 * buildIndex(facts).preference.length;
 */
export function buildIndex(facts: readonly MemoryFact[]): MemoryIndex {
  const { project = [], preference = [], identity = [] } = Object.groupBy(facts, ({ category }) => category);
  return { project, preference, identity };
}

const SAFE = "Your saved memories are safe, and you can keep chatting.";

/** Texts for users, by problem of the store. */
const SENTENCES: Readonly<Partial<Record<StoreError["problem"], string>>> = {
  full: `This device has no space left for new memories. ${SAFE} Free some space and try again.`,
  "newer-version": `These memories were written by a newer version. ${SAFE} Reload the page to update.`,
  "read-only": `Memories are read-only here. ${SAFE}`,
  corrupt: "The memories on this device are damaged. Nothing was changed. You can keep chatting without them.",
};

const UNREACHABLE = "Memories are unavailable right now. Nothing was changed. You can keep chatting without them.";

/** Wraps errors of a store that are not ThroughlineErrors. */
export function toThroughlineError(error: unknown): ThroughlineError {
  if (ThroughlineError.isInstance(error)) return error;
  return new StoreError("unavailable", messageOf(error), { cause: error });
}

/** Text for the user if the store is not usable; `undefined` if it only refused one operation. */
export function userMessageFor(error: ThroughlineError): string | undefined {
  if (!(error instanceof StoreError) || error.problem === "busy" || error.problem === "duplicate-id") return undefined;
  return SENTENCES[error.problem] ?? UNREACHABLE;
}
