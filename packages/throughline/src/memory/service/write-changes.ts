import { StoreError } from "../../errors/store-error.ts";
import { sameJson } from "../../internal/json.ts";
import { mapYielding, runStepsYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory, Turn } from "../../ports/memory.ts";
import type { JournalEntry } from "../../ports/memory-shelf.ts";
import { isSingleValued } from "../facts/slot-keys.ts";
import { writeJournalEntry } from "../journal/journal-entry.ts";
import { arrangeSlot } from "./arrange-slots.ts";
import { holdLimits } from "./hold-limits.ts";
import type { MemoryContext } from "./memory-context.ts";
import { newId } from "./new-id.ts";
import { refuseReadOnly } from "./refuse-read-only.ts";
import { settleEnded } from "./settle-ended.ts";
import { type ReadTurn, searchableMemory, shelve, writeEntries, writeMarks } from "./shelve.ts";

/** Rounds of "somebody else was faster" after which something is wrong. */
const MAX_TRIES = 200;
/** Milliseconds that somebody waits who was not fast enough; longer each time, so that many do not hinder each other. */
const FIRST_PAUSE = 10;
const MAX_PAUSE = 200;

/** What is to become of a space. */
interface Changes {
  /** Memories as they shall be: new ones and those that are changed. */
  readonly memories?: readonly Memory[];
  /** Turns that are new. */
  readonly turns?: readonly ReadTurn[];
  /** Turns that are there, with other marks of what is outdated, or with less that is still to be done. */
  readonly marked?: readonly Turn[];
  readonly contradictions?: readonly Contradiction[];
  /** The entry of the journal that this undoes. */
  readonly undoes?: string;
  /** What the journal says of earlier times, brought along from elsewhere. */
  readonly past?: readonly JournalEntry[];
}

/** What became of it. */
export interface Written {
  readonly memories: readonly Memory[];
  /** Nothing where no memory, no contradiction and no mark of a turn changed. */
  readonly journalId?: string;
}

/** A plan, and what the caller wants to know of it. */
export interface Plan<T> extends Changes {
  readonly result: T;
}

/**
 * Changes a space: reads, plans and writes, and does it again where somebody else wrote in between. So a plan may look at
 * all that it wants, and what it saw is still so when it is written.
 */
export async function changeSpace<T>(
  context: MemoryContext,
  space: string,
  action: string,
  plan: () => Promise<Plan<T>>,
  /** The id of what the journal says of it, where it is to be the same in several spaces. */
  journalId?: string,
): Promise<{ readonly result: T; readonly written: Written }> {
  return untilWritten(context, space, async (revision) => {
    const { result, ...changes } = await plan();
    const written = await write(context, space, { revision, action, changes, journalId, result });
    return written === undefined ? undefined : { result, written };
  });
}

/** Tries on the present revision, and again where that gave nothing because somebody else wrote in between. */
export async function untilWritten<T>(
  { shelf }: MemoryContext,
  space: string,
  attempt: (revision: number) => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // Stores that answer at once would otherwise hold the thread for as long as there is something to write.
    await yieldToEventLoop();
    const { revision } = await shelf.head(space);
    const result = await attempt(revision);
    if (result !== undefined) return result;
    await pause(Math.random() * Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** tries));
  }
  throw new StoreError("busy", `${space} is written to by too many others.`);
}

interface Attempt {
  readonly revision: number;
  readonly action: string;
  readonly changes: Changes;
  readonly journalId: string | undefined;
  readonly result: unknown;
}

async function write(context: MemoryContext, space: string, attempt: Attempt): Promise<Written | undefined> {
  const { shelf } = context;
  const { contradictions: given = [], turns = [], marked = [], past = [], undoes } = attempt.changes;
  const arranged = await arrange(context, space, attempt.changes.memories ?? []);
  const memories = await holdLimits(context, space, arranged);
  if (memories.length + given.length + turns.length + marked.length + past.length === 0) return { memories: [] };
  refuseReadOnly(space, context);
  const before = memories.length === 0 ? [] : await shelf.memories(space, memories.map(idOf));
  const decided = new Set(given.map(idOf));
  const settled = await settleEnded(context, space, before, memories);
  const contradictions = [...given, ...settled.filter(({ id }) => !decided.has(id))];
  const opened =
    contradictions.length === 0 ? [] : await shelf.contradictions(space, { ids: contradictions.map(idOf) });
  const unmarked = marked.length === 0 ? [] : await shelf.turns(space, marked.map(idOf));
  const now = context.clock.now();
  await yieldToEventLoop();
  const entry = await runStepsYielding(
    writeJournalEntry({
      id: attempt.journalId ?? newId("jrn", now),
      at: now,
      action: attempt.action,
      before: { memories: before, contradictions: opened, turns: unmarked },
      after: { memories, contradictions, turns: marked },
      ...(undoes === undefined ? {} : { undoes }),
    }),
  );
  const isJournalled = entry.changes.length > 0;
  const isWritten = await shelf.commit(space, {
    revision: attempt.revision,
    memories: await mapYielding(memories, shelve),
    turns: [...turns.map(({ turn }): Turn => turn), ...marked],
    entries: [
      ...(await writeEntries(context, await otherwiseFound(before, memories), turns)),
      ...(await writeMarks(context, space, otherwiseMarked(unmarked, marked))),
    ],
    contradictions,
    journal: isJournalled ? [...past, entry] : past,
    result: attempt.result,
  });
  if (!isWritten) return undefined;
  return isJournalled ? { memories, journalId: entry.id } : { memories };
}

/** Those that are found by other words or at another time than before. */
async function otherwiseFound(before: readonly Memory[], memories: readonly Memory[]): Promise<readonly Memory[]> {
  const known = new Map(before.map((memory) => [memory.id, memory]));
  const found = await mapYielding(memories, (memory) => {
    const old = known.get(memory.id);
    return old === undefined || !sameJson(searchableMemory(old), searchableMemory(memory)) ? [memory] : [];
  });
  return found.flat();
}

function otherwiseMarked(before: readonly Turn[], turns: readonly Turn[]): readonly Turn[] {
  const known = new Map(before.map((turn) => [turn.id, turn]));
  return turns.filter(({ id, staleSince, marks }) => {
    const old = known.get(id);
    return old?.staleSince !== staleSince || (old?.marks === undefined) !== (marks === undefined);
  });
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

/** What is said of a thing that is one way at a time holds one after the other. */
async function arrange(
  { shelf }: MemoryContext,
  space: string,
  changed: readonly Memory[],
): Promise<readonly Memory[]> {
  const all = new Map(changed.map((memory) => [memory.id, memory]));
  const slots = new Set((await mapYielding(changed, singleValuedSlot)).filter((slot) => slot !== undefined));
  for (const slot of slots) {
    const kept = (await shelf.list(space, { slot })).filter(({ id }) => !all.has(id));
    const said = [...kept, ...changed.filter((memory) => singleValuedSlot(memory) === slot)];
    for (const people of Map.groupBy(said, ({ owner, projectId = "" }) => `${owner}\n${projectId}`).values()) {
      const before = new Set(people);
      for (const memory of arrangeSlot(people)) {
        if (all.has(memory.id) || !before.has(memory)) all.set(memory.id, memory);
      }
    }
  }
  return [...all.values()];
}

function singleValuedSlot(memory: Memory): string | undefined {
  const { slot } = shelve(memory);
  const key = slot?.slice(slot.lastIndexOf("|") + 1);
  return key !== undefined && isSingleValued(key) ? slot : undefined;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
