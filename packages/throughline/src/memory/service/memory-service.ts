import type { Contradiction, Memory } from "../../ports/memory.ts";
import type { ErasureReport, JournalEntry } from "../../ports/memory-store.ts";
import type { MemoryExport } from "../exchange/memory-export.ts";
import { renderMemoriesMarkdown } from "../exchange/render-markdown.ts";
import { type BegunMove, forgetMemory, updateMemory } from "./change-memory.ts";
import { type Consolidated, type ConsolidateOptions, consolidateSpaces } from "./consolidate-spaces.ts";
import { exportMemories } from "./export-memories.ts";
import { findMemories, findMemory } from "./find-memory.ts";
import { type Imported, type ImportOptions, importMemories } from "./import-memories.ts";
import { ingestTurns } from "./ingest-turns.ts";
import { type ListOptions, listMemories } from "./list-memories.ts";
import type {
  Ingested,
  IngestInput,
  MemoryPatch,
  RecallHit,
  RecallOptions,
  Remembered,
  RememberInput,
} from "./memory-api.ts";
import { type BlockOptions, type MemoryBlock, renderMemories } from "./memory-block.ts";
import type { MemoryContext } from "./memory-context.ts";
import {
  CONSOLIDATE_SPAN,
  FORGET_SPAN,
  IMPORT_SPAN,
  INGEST_SPAN,
  PURGE_SESSION_SPAN,
  PURGE_SPAN,
  RECALL_SPAN,
  REMEMBER_SPAN,
  RESOLVE_SPAN,
  SHARE_SPAN,
  UNDO_SPAN,
  UPDATE_SPAN,
  withMemorySpan,
} from "./memory-spans.ts";
import { everyNight, type NightlyOptions } from "./nightly.ts";
import { type PurgeSessionOptions, purgeMemories, purgeSessionMemories } from "./purge-memory.ts";
import { type Fitting, findFitting, recallMemories } from "./recall-memories.ts";
import { type ReembedOptions, type ReembedProgress, reembed } from "./reembed.ts";
import { remember } from "./remember.ts";
import { listContradictions, type ResolveInput, resolveConflict } from "./resolve.ts";
import { SearchSpaces } from "./search-spaces.ts";
import { type Shared, shareFacts } from "./share-facts.ts";
import { learnNames, trackUse } from "./track-use.ts";
import { type BegunUndo, readJournal, type Undone, undoEntry } from "./undo-entry.ts";

/**
 * Remembers across sessions. Everything that it gives out belongs to the user who asks, to their project, or to everybody.
 *
 * @example
 * await tl.memory.remember({ text: "We deploy on Fridays." });
 * const [hit] = await tl.memory.recall("When do we deploy?");
 */
export class MemoryService {
  readonly #context: MemoryContext;
  readonly #search: SearchSpaces;

  constructor(context: MemoryContext) {
    this.#context = context;
    this.#search = new SearchSpaces(context.shelf, context.embedder.name);
  }

  /** Remembers something: it is new, was known, or takes the place of what no longer holds. */
  remember(input: RememberInput): Promise<Remembered> {
    return withMemorySpan(this.#context, REMEMBER_SPAN, input, () => remember(this.#context, this.#search, input));
  }

  /** Keeps what was said as evidence, and remembers the facts in it. */
  ingest(input: IngestInput): Promise<Ingested> {
    return withMemorySpan(this.#context, INGEST_SPAN, input, () => ingestTurns(this.#context, this.#search, input));
  }

  /** What fits a question, the best first; nothing where nothing fits. */
  recall(query: string, options?: RecallOptions): Promise<readonly RecallHit[]> {
    return withMemorySpan(this.#context, RECALL_SPAN, query, () =>
      recallMemories(this.#context, this.#search, query, options),
    );
  }

  /** What fits a question by itself: neither age nor use moves it, and finding it does not count as use. */
  fitting(query: string, options?: Pick<RecallOptions, "limit" | "from">): Promise<Fitting> {
    return findFitting(this.#context, this.#search, query, options);
  }

  /**
   * What fits a question as a block for a prompt, within a budget of tokens. It stands in delimiters that nothing in it
   * can close, and is not extracted again where it comes back in a transcript.
   */
  async recallBlock(query: string, { budget, isKnown = () => false }: BlockOptions): Promise<MemoryBlock | undefined> {
    const hits = await this.recall(query);
    return renderMemories(
      hits.filter((hit) => !isKnown(hit)),
      budget,
    );
  }

  /** The memory of an id; `undefined` where there is none. */
  async get(id: string): Promise<Memory | undefined> {
    return (await findMemory(this.#context, id))?.memory;
  }

  /** The memories of some ids, in their order; those that there are not are left out. */
  getAll(ids: readonly string[]): Promise<readonly Memory[]> {
    return findMemories(this.#context, ids);
  }

  /** Memories in the order in which they were made. */
  list(options?: ListOptions): Promise<readonly Memory[]> {
    return listMemories(this.#context, options);
  }

  /** Changes a memory by hand. With `begun` it completes a move to another scope that was cut off. */
  update(id: string, patch: MemoryPatch, begun?: BegunMove): Promise<Memory> {
    return withMemorySpan(this.#context, UPDATE_SPAN, id, () => updateMemory(this.#context, id, patch, begun));
  }

  /** Puts a memory away: it is not recalled any more, and can be brought back. */
  forget(id: string): Promise<Memory> {
    return withMemorySpan(this.#context, FORGET_SPAN, id, () => forgetMemory(this.#context, id));
  }

  /** Erases memories or turns, one or many at once, with everything that is known of them, for good. */
  purge(ids: string | readonly string[]): Promise<ErasureReport> {
    return withMemorySpan(this.#context, PURGE_SPAN, ids, () => purgeMemories(this.#context, this.#search, ids));
  }

  /** Erases what a session left in memory. */
  purgeSession(sessionId: string, options?: PurgeSessionOptions): Promise<void> {
    return withMemorySpan(this.#context, PURGE_SESSION_SPAN, sessionId, () =>
      purgeSessionMemories(this.#context, this.#search, sessionId, options),
    );
  }

  /** Says that a memory was of use, and for which question: words that it is asked for by become names of it. */
  async cite(id: string, { query }: { readonly query?: string } = {}): Promise<void> {
    await trackUse(this.#context, id, "cited");
    if (query !== undefined) await learnNames(this.#context, this.#search, id, query);
  }

  /** Says that a memory was given out for nothing. */
  ignore(id: string): Promise<void> {
    return trackUse(this.#context, id, "ignored");
  }

  contradictions(filter?: { readonly status?: "open" | "resolved" }): Promise<readonly Contradiction[]> {
    return listContradictions(this.#context, filter);
  }

  /** Settles a contradiction: one side wins, both stay, or one memory takes the place of both. */
  resolve(id: string, input: ResolveInput): Promise<Contradiction> {
    return withMemorySpan(this.#context, RESOLVE_SPAN, id, () => resolveConflict(this.#context, id, input));
  }

  /** The housekeeping pass. With `dryRun` it says what it would do, and does nothing. */
  consolidate(options?: ConsolidateOptions): Promise<Consolidated> {
    return withMemorySpan(this.#context, CONSOLIDATE_SPAN, options, () => consolidateSpaces(this.#context, options));
  }

  /** Consolidates every night until the returned function is called; of several processes, one does it. */
  consolidateNightly(options?: NightlyOptions): () => Promise<void> {
    const { clock, logger } = this.#context;
    return everyNight({ clock, logger, work: () => this.consolidate() }, options);
  }

  /** Makes facts of the project from what several of its people said of it in private. Nothing is shared unless asked for. */
  share({ userIds }: { readonly userIds: readonly string[] }): Promise<Shared> {
    return withMemorySpan(this.#context, SHARE_SPAN, userIds, () => shareFacts(this.#context, userIds));
  }

  /** What was done to memories, the newest first. */
  journal(options?: { readonly limit?: number }): Promise<readonly JournalEntry[]> {
    return readJournal(this.#context, options);
  }

  /**
   * Undoes what the journal says was done. To undo that again does it once more. With `begun` it completes an undo that was
   * cut off.
   */
  undo(journalId: string, begun?: BegunUndo): Promise<Undone> {
    return withMemorySpan(this.#context, UNDO_SPAN, journalId, () => undoEntry(this.#context, journalId, begun));
  }

  /** Everything, as plain data. */
  export(): Promise<MemoryExport> {
    return exportMemories(this.#context);
  }

  /** Everything that holds, for people to read. */
  async exportMarkdown(): Promise<string> {
    const { memories, contradictions } = await exportMemories(this.#context);
    return renderMemoriesMarkdown(memories, contradictions);
  }

  /** Takes in an export, or a pasted list of facts as ChatGPT and Claude give them. */
  import(data: unknown, options?: ImportOptions): Promise<Imported> {
    return withMemorySpan(this.#context, IMPORT_SPAN, data, () =>
      importMemories(this.#context, this.#search, data, options),
    );
  }

  /** Makes vectors with the present embedder for everything that has none of it. It can be stopped and goes on. */
  reembed(options?: ReembedOptions): Promise<ReembedProgress> {
    return reembed(this.#context, options);
  }
}
