import { omitUndefined } from "../../internal/json.ts";
import type { Memory, MemorySource, Utterance } from "../../ports/memory.ts";
import { findMemory, requireMemory } from "../list-memories.ts";
import type { MemoryContext } from "../memory-context.ts";
import { isVisible, visibleSpaces } from "../space/spaces.ts";
import type { MemoryRow } from "./memory-table.ts";

/** Memories of a history. A longer chain of replacements is cut. */
const MAX_MEMORIES = 50;
const MAX_CHANGES = 200;

/** A text that a memory has, or had before it was edited or replaced. */
export interface MemoryVersion {
  readonly memoryId: string;
  readonly text: string;
  /** Time from which the text applied, and until which; without `until` it applies now. */
  readonly from: number;
  readonly until?: number;
  /** True if the text applied at the time that was asked for. */
  readonly isValid: boolean;
  readonly isArchived: boolean;
}

/** A journalled change of a memory. */
export interface MemoryChange {
  readonly journalId: string;
  readonly memoryId: string;
  readonly at: number;
  readonly action: string;
}

/** History of a memory: its texts and those of the memories that it replaced or was replaced by. */
export interface MemoryHistory {
  /** Latest first. */
  readonly versions: readonly MemoryVersion[];
  /** Latest first. */
  readonly changes: readonly MemoryChange[];
}

/**
 * Reads the history of a memory.
 *
 * @param asOf Time at which versions count as valid.
 * @throws NotFoundError if the caller can see no memory with this id.
 */
export async function readHistory(
  context: MemoryContext,
  rows: readonly MemoryRow[],
  id: string,
  asOf: number,
): Promise<MemoryHistory> {
  const chain = await readChain(context, rows, id);
  const read = await Promise.all([...chain.values()].map((one) => readOne(context, one, asOf)));
  const versions = read.flatMap((one) => one.versions).sort((a, b) => b.from - a.from);
  const changes = read.flatMap((one) => one.changes).sort((a, b) => b.at - a.at || (a.memoryId < b.memoryId ? 1 : -1));
  return { versions, changes: changes.slice(0, MAX_CHANGES) };
}

interface Placed {
  readonly memory: Memory;
  readonly space: string;
}

/** The memory with those that it replaced, directly and indirectly, and those that replaced it. */
async function readChain(
  context: MemoryContext,
  rows: readonly MemoryRow[],
  id: string,
): Promise<ReadonlyMap<string, Placed>> {
  const chain = new Map<string, Placed>([[id, await requireMemory(context, id)]]);
  for (const { memory } of chain.values()) {
    const replaced = rows.filter(({ supersededBy }) => supersededBy === memory.id).map((row) => row.id);
    for (const next of [memory.supersedes, memory.supersededBy, ...replaced]) {
      if (next === undefined || chain.has(next) || chain.size >= MAX_MEMORIES) continue;
      const found = await findMemory(context, next);
      if (found !== undefined) chain.set(next, found);
    }
  }
  return chain;
}

async function readOne(context: MemoryContext, { memory, space }: Placed, asOf: number): Promise<MemoryHistory> {
  const entries = await context.memoryStore.list(space, "journal", { of: memory.id, limit: MAX_CHANGES });
  const changes = entries.map(({ id, at, action }) => ({ journalId: id, memoryId: memory.id, at, action }));
  const states = entries.map(({ at, changes: made }) => {
    const before = made.find((change) => change.id === memory.id)?.before as Memory | undefined;
    return { at, before };
  });
  const end = memory.validTo ?? memory.archivedAt;
  const versions: MemoryVersion[] = [];
  const add = (text: string, from: number, until: number | undefined) => {
    const isValid = from <= asOf && (until === undefined || asOf < until);
    const isArchived = memory.archivedAt !== undefined;
    versions.push(omitUndefined({ memoryId: memory.id, text, from, until, isValid, isArchived }));
  };
  let [text, until] = [memory.levels.full, end];
  for (const { at, before } of states) {
    if (before === undefined || before.levels.full === text) continue;
    add(text, at, until);
    [text, until] = [before.levels.full, at];
  }
  add(text, Math.min(memory.validFrom, until ?? memory.validFrom), until);
  return { versions, changes };
}

/** Characters of a message that are returned around the quote. */
const MAX_EXCERPT = 4_000;

/** A source of a memory with its stored message. */
export interface MemoryEvidence extends MemorySource {
  /** The stored message, cut around the quote if it is long; missing if it is not stored. */
  readonly message?: {
    readonly role: string;
    readonly text: string;
    /** True if text before or after the excerpt is left out. */
    readonly isCut: boolean;
  };
  /** Range of the quote in the text of the message, `end` exclusive; missing if the message does not contain it. */
  readonly match?: { readonly start: number; readonly end: number };
  /** True if the message contains the quote verbatim. Missing if there is no message or no quote to compare. */
  readonly isVerbatim?: boolean;
}

/** Reads the messages that a memory comes from, latest first. */
export async function readEvidence(
  context: MemoryContext,
  { source, earlierSources = [], levels, byHand }: Memory,
): Promise<readonly MemoryEvidence[]> {
  const sources = [source, ...earlierSources].filter(
    ({ sessionId, messageId }) => (sessionId ?? messageId) !== undefined,
  );
  const turns = await readTurns(context, sources);
  return sources.map((one) => {
    const turn = turns.get(keyOf(one));
    // A memory that was extracted without a quote has the words of its message.
    const quote = one.quote ?? (byHand ? undefined : levels.full);
    return omitUndefined({ ...one, ...(turn && readMessage(turn.text, quote, turn.role)) });
  });
}

function readMessage(text: string, quote: string | undefined, role: string): Omit<MemoryEvidence, keyof MemorySource> {
  const found = quote === undefined ? undefined : findQuote(text, quote);
  const { start, end } = found ?? { start: 0, end: 0 };
  const from =
    text.length <= MAX_EXCERPT ? 0 : Math.max(0, Math.min(start - MAX_EXCERPT / 4, text.length - MAX_EXCERPT));
  const excerpt = text.slice(from, Math.max(from + MAX_EXCERPT, end));
  return omitUndefined({
    message: { role, text: excerpt, isCut: excerpt.length < text.length },
    match: found && { start: start - from, end: end - from },
    isVerbatim: quote === undefined ? undefined : found !== undefined,
  });
}

/** Range of a quote in a text. Line breaks and repeated spaces count as one space. */
function findQuote(text: string, quote: string): { readonly start: number; readonly end: number } | undefined {
  const words = quote.trim().split(/\s+/);
  if (words[0] === "") return undefined;
  const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+"));
  const found = pattern.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

async function readTurns(
  context: MemoryContext,
  sources: readonly MemorySource[],
): Promise<ReadonlyMap<string, Utterance>> {
  const ids = sources.flatMap(({ sessionId, messageId }) =>
    messageId === undefined ? [] : [messageId, `${sessionId}/${messageId}`],
  );
  const found = new Map<string, Utterance>();
  if (ids.length === 0) return found;
  for (const space of visibleSpaces(context)) {
    for (const turn of await context.memoryStore.get(space, "turns", ids)) {
      const key = keyOf({ sessionId: turn.sessionId, messageId: turn.messageId ?? turn.id });
      if (isVisible(turn, context) && !found.has(key)) found.set(key, turn);
    }
  }
  return found;
}

function keyOf({ sessionId, messageId }: Pick<MemorySource, "sessionId" | "messageId">): string {
  return `${sessionId}\n${messageId}`;
}
