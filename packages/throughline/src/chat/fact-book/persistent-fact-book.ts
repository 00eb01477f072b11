import {
  CLOCK,
  checkOptions,
  FLAG,
  FUNCTION,
  OBJECT,
  type OptionRules,
  withMethods,
} from "../../errors/check-options.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import type { ThroughlineError } from "../../errors/throughline-error.ts";
import { createSequentialQueue } from "../../internal/concurrency.ts";
import { omitUndefined } from "../../internal/json.ts";
import { lazy } from "../../internal/memoize.ts";
import { type ChatFact, MAX_PINNED } from "../../memory/facts/fact-rules.ts";
import type { RememberOutcome } from "../../memory/memory-api.ts";
import { type Clock, SYSTEM_CLOCK } from "../../ports/clock.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { listChatFacts, type MemoryFact, toMemoryFact } from "../memory-fact.ts";
import { type Schedule, scheduleByTimer } from "../schedule.ts";
import { bookState, EMPTY_STATE, toThroughlineError, userMessageFor } from "./book-state.ts";
import type { Classify } from "./classify-fact.ts";
import {
  EDIT_RULES,
  type FactBook,
  type FactBookState,
  type FactEdit,
  type NewFact,
  type Removal,
} from "./fact-book.ts";
import {
  type Change,
  eraseFacts,
  type FactBookMemory,
  inPlace,
  OptimisticFacts,
  rememberByHand,
  restoreFact,
  type TargetStates,
  UnfinishedChanges,
} from "./fact-changes.ts";
import { Clearing, Removals, type StoredText } from "./removals.ts";

/** The rules of extraction are large, and a page that adds no note does not need them. */
const loadClassify = lazy(() => import("./classify-fact.ts"));

const NEW_FACT_RULES: OptionRules<NewFact> = { ...EDIT_RULES, keepSecrets: FLAG, source: OBJECT };

interface BookPorts {
  readonly memory: FactBookMemory;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly tombstone: StoredText;
  readonly unfinished?: StoredText;
  readonly classify?: Classify;
}

const UNCHANGED: Change = (fact) => fact;

/** Facts of a memory service for a panel. */
class PersistentFactBook implements FactBook {
  readonly #ports: BookPorts;
  readonly #facts = new OptimisticFacts();
  readonly #removals: Removals;
  readonly #clearing: Clearing;
  readonly #moves: UnfinishedChanges;
  readonly #listeners = new Set<() => void>();
  readonly #enqueue = createSequentialQueue();
  #state: FactBookState = EMPTY_STATE;
  #status: FactBookState["status"] = "loading";
  #problem: string | undefined;
  #saved: FactBookState["saved"];
  /** A queued reload, shared by all callers. */
  #waiting: Promise<void> | undefined;
  #isClosed = false;

  constructor(ports: BookPorts) {
    const { clock, schedule, tombstone: stored } = ports;
    this.#ports = ports;
    this.#removals = new Removals({ clock, schedule, changed: () => this.#publish() });
    this.#clearing = new Clearing({ stored, clock, schedule, due: () => void this.refresh() });
    this.#moves = new UnfinishedChanges(ports.unfinished);
    this.#clearing.sync();
    void this.refresh();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): FactBookState => this.#state;

  refresh(): Promise<void> {
    // The undo time of a clear may be over.
    this.#publish();
    this.#waiting ??= this.#enqueue(async () => {
      this.#waiting = undefined;
      await this.#read();
      this.#publish();
    });
    return this.#waiting;
  }

  async #classify(text: string): Promise<FactCategory> {
    const { classifyFact } = await loadClassify();
    return classifyFact(text, this.#ports.classify);
  }

  async add(note: NewFact): Promise<{ readonly fact: MemoryFact; readonly outcome: RememberOutcome }> {
    checkOptions("FactBook.add", note, NEW_FACT_RULES);
    const category = note.category ?? (await this.#classify(note.text));
    const { memory, outcome } = await this.#change(UNCHANGED, async () => {
      const remembered = await rememberByHand(this.#ports.memory, { ...note, category });
      this.#facts.put(remembered.memory);
      this.#clearing.exclude(remembered.memory.id);
      this.#markSaved(remembered.memory.id);
      return remembered;
    });
    return { fact: toMemoryFact({ ...memory, category: memory.category ?? category }), outcome };
  }

  async edit(id: string, edit: FactEdit): Promise<void> {
    checkOptions("FactBook.edit", edit, EDIT_RULES);
    const known = this.#state.facts.find((fact) => fact.id === id);
    const text = edit.text?.trim();
    const isSame = (text ?? known?.fact) === known?.fact && (edit.category ?? known?.category) === known?.category;
    if (known !== undefined && isSame) return;
    const shown: Change = (fact) => {
      const { category = fact.category } = edit;
      return fact.id === id ? { ...fact, category, levels: { ...fact.levels, full: text ?? fact.levels.full } } : fact;
    };
    // Text stays in the open editor until it is stored, so only the category is recorded.
    const goals = text === undefined && edit.category !== undefined ? { [id]: edit.category } : {};
    await this.#changeRecorded(shown, goals, async () => {
      this.#facts.put(await this.#ports.memory.update(id, omitUndefined({ ...edit, text })));
      this.#markSaved(id);
    });
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    const isRefused = pinned && this.#state.pinned >= MAX_PINNED;
    const shown: Change = (fact) => (fact.id === id && !isRefused ? { ...fact, pinned } : fact);
    await this.#changeRecorded(shown, isRefused ? {} : inPlace([{ id, pinned }]), async () => {
      this.#facts.put(await this.#ports.memory.update(id, { pinned }));
    });
  }

  async remove(ids: readonly string[]): Promise<Removal | undefined> {
    const facts = this.#state.facts.filter(({ id }) => ids.includes(id));
    if (facts.length === 0) return undefined;
    const removal = this.#removals.start(facts);
    const removedIds = new Set(facts.map(({ id }) => id));
    const archivedAt = this.#ports.clock.now();
    const shown: Change = (fact) => (removedIds.has(fact.id) ? { ...fact, archivedAt, pinned: false } : fact);
    try {
      await this.#changeRecorded(shown, Object.fromEntries(facts.map(({ id }) => [id, "deleted"])), async () => {
        for (const { id } of facts) this.#facts.put(await this.#ports.memory.forget(id));
      });
    } catch (error) {
      this.#removals.keep(removal.id, ({ id }) => this.#facts.stored(id)?.archivedAt !== undefined);
      this.#publish();
      throw error;
    }
    return removal;
  }

  async undoRemoval(id: string): Promise<void> {
    const removal = this.#removals.get(id);
    if (removal === undefined) throw new NotFoundError(`Removal ${id}`, "here");
    this.#removals.end(id);
    await this.#restore(removal.facts);
  }

  pauseRemoval(id: string): void {
    this.#removals.pause(id);
    this.#publish();
  }

  resumeRemoval(id: string): void {
    this.#removals.resume(id);
    this.#publish();
  }

  async undoLatest(): Promise<boolean> {
    if (this.#clearing.pending !== undefined) {
      await this.undoClear();
      return true;
    }
    const latest = this.#removals.list().at(-1);
    if (latest === undefined) return false;
    await this.undoRemoval(latest.id);
    return true;
  }

  async bringBack(id: string): Promise<void> {
    const deleted = this.#state.deleted.find((fact) => fact.id === id);
    if (deleted === undefined) throw new NotFoundError(`Deleted memory ${id}`, "here");
    // The removal still knows if the fact was pinned.
    const removal = this.#removals.list().find(({ facts }) => facts.some((fact) => fact.id === id));
    const before = removal?.facts.find((fact) => fact.id === id);
    if (removal !== undefined) this.#removals.keep(removal.id, (fact) => fact.id !== id);
    await this.#restore([before ?? deleted]);
  }

  async revert(ids: readonly string[]): Promise<void> {
    const facts = this.#state.facts.filter(({ id }) => ids.includes(id));
    if (facts.length === 0) return;
    const { memory } = this.#ports;
    await this.#change(UNCHANGED, async () => {
      for (const { id, updatesFactId } of facts) {
        this.#facts.put(await memory.forget(id));
        if (updatesFactId !== undefined) await memory.update(updatesFactId, { validTo: null, archived: false });
      }
    });
  }

  async clear(): Promise<void> {
    if (this.#status === "loading") await this.refresh();
    const known = this.#known();
    if (known.length === 0) return;
    this.#clearing.begin(known, this.#state.facts.length);
    this.#removals.endAll();
    this.#publish();
  }

  async undoClear(): Promise<void> {
    if (this.#clearing.undo()) await this.refresh();
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#removals.endAll();
    this.#clearing.stop();
  }

  /** Restores facts with their pins. */
  async #restore(facts: readonly MemoryFact[]): Promise<void> {
    const pins = new Map(facts.map(({ id, pinned }) => [id, pinned]));
    const shown: Change = ({ archivedAt, ...fact }) => {
      const pinned = pins.get(fact.id);
      return pinned === undefined ? omitUndefined({ ...fact, archivedAt }) : { ...fact, pinned };
    };
    await this.#changeRecorded(shown, inPlace(facts), async () => {
      for (const { id, pinned } of facts) this.#facts.put(await restoreFact(this.#ports.memory, id, pinned));
    });
  }

  /** Makes a change and records it first. If the tab is closed before it is stored, the next tab completes it. */
  async #changeRecorded(shown: Change, goals: TargetStates, work: () => Promise<void>): Promise<void> {
    const arrived = this.#moves.note(goals);
    try {
      await this.#change(shown, work);
    } finally {
      arrived();
    }
  }

  /** Shows a change immediately, stores it in order, and rolls it back if it fails. */
  async #change<T>(shown: Change, work: () => Promise<T>): Promise<T> {
    const hide = this.#facts.show(shown);
    this.#publish();
    try {
      return await this.#enqueue(async () => {
        try {
          return await work();
        } finally {
          await this.#read();
        }
      });
    } catch (error) {
      const typed = toThroughlineError(error);
      this.#noteProblem(typed);
      throw typed;
    } finally {
      hide();
      this.#publish();
    }
  }

  /** Loads everything and completes a clear whose undo time is over. Failures become part of the state. */
  async #read(): Promise<void> {
    const { memory } = this.#ports;
    try {
      this.#clearing.sync();
      if (this.#status === "loading") await this.#moves.finish(memory);
      this.#facts.replaceAll(await listChatFacts(memory, { all: true }));
      if (this.#clearing.isDue && !this.#isClosed) await this.#erase();
      this.#status = "ready";
      this.#problem = undefined;
    } catch (error) {
      this.#noteProblem(toThroughlineError(error));
    }
  }

  async #erase(): Promise<void> {
    const { memory } = this.#ports;
    const clearedIds = this.#facts.all().flatMap((fact) => (this.#clearing.includes(fact) ? [fact.id] : []));
    await eraseFacts(memory, clearedIds);
    this.#clearing.finish();
    this.#facts.replaceAll(await listChatFacts(memory, { all: true }));
  }

  /** All facts that are not being cleared. */
  #known(): readonly ChatFact[] {
    return this.#facts.all().filter((fact) => !this.#clearing.includes(fact));
  }

  #markSaved(id: string): void {
    this.#saved = { id, at: this.#ports.clock.now() };
  }

  #noteProblem(error: ThroughlineError): void {
    const sentence = userMessageFor(error);
    if (sentence === undefined) return;
    this.#status = "failed";
    this.#problem = sentence;
  }

  #publish(): void {
    const state = bookState(
      {
        status: this.#status,
        problem: this.#problem,
        known: this.#known(),
        removals: this.#removals.list(),
        ...this.#clearing.state,
        saved: this.#saved,
      },
      this.#state,
    );
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Options of `createFactBook`. */
export interface FactBookOptions {
  /** Memory service of the user, such as `tl.memory`. */
  readonly memory: FactBookMemory;
  /** Source of the current time. Default: the system clock. */
  readonly clock?: Clock;
  /** Runs timers. Default: `setTimeout`. */
  readonly schedule?: Schedule;
  /** Synchronous storage for a pending clear, so that closing the tab does not lose it. */
  readonly tombstone: StoredText;
  /** Synchronous storage for unfinished deletions, undos, pins and category changes, for the same reason. */
  readonly unfinished?: StoredText;
  /** Classifies notes with a model. Default: rules, which also apply if the model takes too long. */
  readonly classify?: Classify;
}

const KEEP = withMethods("an object with read() and write()", "read", "write");

const BOOK_RULES: OptionRules<FactBookOptions> = {
  memory: withMethods("a memory service, such as tl.memory", "list", "remember", "update", "forget", "purge"),
  clock: CLOCK,
  schedule: FUNCTION,
  tombstone: KEEP,
  unfinished: KEEP,
  classify: FUNCTION,
};

/**
 * Opens the facts of one user for a panel. Starts to load immediately and continues a pending clear.
 *
 * @param options Memory, storage for pending changes, and an optional classifier.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const book = createFactBook({
 *   memory: tl.memory,
 *   tombstone: {
 *     read: () => localStorage.getItem("clearing") ?? undefined,
 *     write: (text) => (text === undefined ? localStorage.removeItem("clearing") : localStorage.setItem("clearing",
 * text)),
 *   },
 * });
 */
export function createFactBook(options: FactBookOptions): FactBook {
  checkOptions("createFactBook", options, BOOK_RULES);
  const defaults = { clock: SYSTEM_CLOCK, schedule: scheduleByTimer };
  return new PersistentFactBook({ ...defaults, ...omitUndefined(options) });
}
