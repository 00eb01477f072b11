import { lostAttempts } from "../../errors/store-errors.ts";
import { sameJson } from "../../internal/json.ts";
import { mapYielding, runStepsYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import { type Contradiction, isCurrent, type Memory, type Utterance } from "../../ports/memory.ts";
import type { JournalEntry, SearchEntry } from "../../ports/memory-store.ts";
import { newId } from "../ids.ts";
import type { MemoryContext } from "../memory-context.ts";
import { writeJournalEntry } from "../undo/journal-entry.ts";
import { embedOnce } from "./embed-texts.ts";
import { indexMemory, type ReadTurn, searchableMemory, writeEntries, writeMarks } from "./index-memory.ts";
import { assertWritable, isVisible } from "./spaces.ts";
import { type PlanContext, type StagedMemory, StagedSpace, type StagedTurn } from "./staged-space.ts";
import { enforceLimits, resolveValidity } from "./write-rules.ts";

/** Attempts that may lose to concurrent writers before the write fails. */
const MAX_TRIES = 200;
/** Upper bounds of the random pause after a lost attempt, in milliseconds. The first one doubles up to the second. */
const FIRST_PAUSE = 10;
const MAX_PAUSE = 200;

/** Changes to a space. */
interface Changes {
  /** New and changed memories. */
  readonly memories?: readonly Memory[];
  readonly turns?: readonly ReadTurn[];
  /** Stored turns with changed marks, or with fewer pending facts. */
  readonly marked?: readonly Utterance[];
  readonly contradictions?: readonly Contradiction[];
  /** The journal entry that this undoes. */
  readonly undoes?: string;
  /** Imported journal entries. */
  readonly past?: readonly JournalEntry[];
}

export interface Written {
  /** The memories as written, with those that ended or were archived because of them. */
  readonly memories: readonly Memory[];
  /** `undefined` if no memory, no contradiction and no mark changed. */
  readonly journalId?: string;
}

/** Planned changes, and the result that the caller gets. */
export interface Plan<T> extends Changes {
  readonly result: T;
}

/**
 * Plans one change and writes it. Repeats both if another writer committed in between, so the plan may read anything.
 */
export function changeSpace<T>(
  context: MemoryContext,
  space: string,
  action: string,
  plan: () => Promise<Plan<T>>,
  /** Id of the journal entry, if entries in several spaces share one. */
  journalId?: string,
): Promise<{ readonly result: T; readonly written: Written }> {
  return writeSpace(
    context,
    space,
    async (draft) => {
      const { result, ...changes } = await plan();
      return { result, written: await draft.stage(action, changes, journalId) };
    },
    ({ result }) => result,
  );
}

/**
 * Stages any number of changes and writes them in one commit. Repeats all of it if another writer committed in between.
 * `report` returns the result that store wrappers see with the commit.
 */
export async function writeSpace<T>(
  context: MemoryContext,
  space: string,
  work: (draft: SpaceDraft) => Promise<T>,
  report: (value: T) => unknown = (value) => value,
): Promise<T> {
  const reused = { ...context, embedder: embedOnce(context.embedder) };
  const { value } = await untilWritten(context, space, async (revision) => {
    const draft = new SpaceDraft(reused, space);
    const done = { value: await work(draft) };
    return (await draft.commit(revision, report(done.value))) ? done : undefined;
  });
  return value;
}

/**
 * Calls `attempt` with the current revision until it returns a result. `undefined` means that another writer committed
 * first.
 */
export async function untilWritten<T>(
  { memoryStore }: MemoryContext,
  space: string,
  attempt: (revision: number) => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // A store that answers synchronously would otherwise block the event loop until everything is written.
    await yieldToEventLoop();
    const { revision } = await memoryStore.head(space);
    const result = await attempt(revision);
    if (result !== undefined) return result;
    await pause(Math.random() * Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** tries));
  }
  throw lostAttempts(`write to space ${space}`, MAX_TRIES);
}

/**
 * Changes to a space that become one commit. Each is planned on top of those before it and gets its own journal entry.
 */
export class SpaceDraft {
  /** For plans: reads see staged changes. */
  readonly context: PlanContext;
  readonly #stored: MemoryContext;
  readonly #space: string;
  readonly #journal: JournalEntry[] = [];

  constructor(context: MemoryContext, space: string) {
    this.context = { ...context, memoryStore: new StagedSpace(context.memoryStore, space) };
    this.#stored = context;
    this.#space = space;
  }

  async stage(action: string, changes: Changes, journalId?: string): Promise<Written> {
    const { context } = this;
    const { contradictions: given = [], turns = [], marked = [], past = [], undoes } = changes;
    const resolved = await resolveValidity(context, changes.memories ?? []);
    const memories = await enforceLimits(context, resolved);
    if (memories.length + given.length + turns.length + marked.length + past.length === 0) return { memories: [] };
    assertWritable(this.#space, context);
    const before = await this.#readBefore(memories, marked);
    const closed = await closeStaleContradictions(context, before.memories, memories);
    const decided = new Set(given.map(idOf));
    const contradictions = [...given, ...closed.filter(({ id }) => !decided.has(id))];
    const opened =
      contradictions.length === 0 ? [] : await context.memoryStore.get("contradictions", contradictions.map(idOf));
    const now = context.clock.now();
    await yieldToEventLoop();
    const entry = await runStepsYielding(
      writeJournalEntry({
        id: journalId ?? newId("jrn", now),
        at: now,
        action,
        before: { ...before, contradictions: opened },
        after: { memories, contradictions, turns: marked },
        ...(undoes === undefined ? {} : { undoes }),
      }),
    );
    const indexed = await mapYielding(memories, indexMemory);
    context.memoryStore.stage({ memories: indexed, newTurns: turns, markedTurns: marked, contradictions, before });
    const isJournalled = entry.changes.length > 0;
    this.#journal.push(...past, ...(isJournalled ? [entry] : []));
    return isJournalled ? { memories, journalId: entry.id } : { memories };
  }

  /** Writes all staged changes; `false` if another writer committed since the revision. */
  async commit(revision: number, result: unknown): Promise<boolean> {
    const { memories, turns, contradictions } = this.context.memoryStore.changes;
    if (memories.length + turns.length + contradictions.length + this.#journal.length === 0) return true;
    const isNew = ({ stored }: StagedTurn): boolean => stored === undefined;
    const inOrder = [...turns.filter(isNew), ...turns.filter((turn) => !isNew(turn))];
    return this.#stored.memoryStore.commit(this.#space, {
      revision,
      memories: memories.map(({ indexed }) => indexed),
      turns: inOrder.map(({ turn }) => turn),
      entries: await this.#entries(memories, turns),
      contradictions,
      journal: this.#journal,
      result,
    });
  }

  async #readBefore(memories: readonly Memory[], marked: readonly Utterance[]) {
    const { memoryStore } = this.context;
    return {
      memories: memories.length === 0 ? [] : await memoryStore.get("memories", memories.map(idOf)),
      turns: marked.length === 0 ? [] : await memoryStore.get("turns", marked.map(idOf)),
    };
  }

  /** Search entries of new documents, and of those whose words, times or marks changed. */
  async #entries(memories: readonly StagedMemory[], turns: readonly StagedTurn[]): Promise<readonly SearchEntry[]> {
    const changed = await mapYielding(memories, ({ indexed: { memory }, stored }) =>
      stored === undefined || !sameJson(searchableMemory(stored), searchableMemory(memory)) ? [memory] : [],
    );
    const newTurns = turns.filter(({ stored }) => stored === undefined);
    const remarked = turns.filter(({ turn, stored }) => stored !== undefined && !hasSameMarks(turn, stored));
    return [
      ...(await writeEntries(this.#stored, changed.flat(), newTurns)),
      ...(await writeMarks(
        this.#stored,
        this.#space,
        remarked.map(({ turn }) => turn),
      )),
    ];
  }
}

function hasSameMarks(a: Utterance, b: Utterance): boolean {
  return a.staleSince === b.staleSince && (a.marks === undefined) === (b.marks === undefined);
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

const NOTE = "The other memory is no longer true.";

/**
 * Resolves open contradictions of which one side ends with this write: the other side wins. Contradictions with a side
 * that the caller cannot see stay open.
 */
async function closeStaleContradictions(
  context: PlanContext,
  before: readonly Memory[],
  memories: readonly Memory[],
): Promise<readonly Contradiction[]> {
  const currentIds = new Set(before.filter(isCurrent).map(({ id }) => id));
  const ended = new Set(
    memories.filter((memory) => currentIds.has(memory.id) && !isCurrent(memory)).map(({ id }) => id),
  );
  if (ended.size === 0) return [];
  const { memoryStore, clock } = context;
  const open = await memoryStore.list("contradictions", { status: "open", of: [...ended] });
  const sides = await memoryStore.get("memories", [
    ...new Set(open.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB])),
  ]);
  const seen = new Set(sides.filter((memory) => isVisible(memory, context)).map(({ id }) => id));
  const stale = open.filter(({ memoryA, memoryB }) => seen.has(memoryA) && seen.has(memoryB));
  return stale.map((contradiction) => ({
    ...contradiction,
    status: "resolved",
    resolvedAt: clock.now(),
    resolution: ended.has(contradiction.memoryA) ? "b_wins" : "a_wins",
    note: NOTE,
  }));
}
