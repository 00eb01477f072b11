import {
  CHECKED_LATER,
  checkOptions,
  FLAG,
  FUNCTION,
  OBJECT,
  type OptionRules,
  oneOf,
  TEXTS,
} from "../../errors/check-options.ts";
import { lazy } from "../../internal/lazy.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import type { ErasureReport, JournalEntry } from "../../ports/memory-store.ts";
import type { MemoryExport } from "../exchange/memory-export.ts";
import type { BegunMove } from "./change-memory.ts";
import type { Consolidated, ConsolidateOptions } from "./consolidate-spaces.ts";
import type { Imported, ImportOptions } from "./import-memories.ts";
import type { ListOptions } from "./list-memories.ts";
import type {
  Ingested,
  IngestInput,
  MemoryPatch,
  RecallHit,
  RecallOptions,
  Remembered,
  RememberInput,
} from "./memory-api.ts";
import type { BlockOptions, MemoryBlock } from "./memory-block.ts";
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
import type { PurgeSessionOptions } from "./purge-memory.ts";
import type { Fitting } from "./recall-memories.ts";
import type { ReembedOptions, ReembedProgress } from "./reembed.ts";
import type { ResolveInput } from "./resolve.ts";
import type { Shared } from "./share-facts.ts";
import type { BegunUndo, Undone } from "./undo-entry.ts";

// Values are checked by the functions that read them; these rules refuse names that nothing reads.
const REMEMBER_RULES: OptionRules<RememberInput> = {
  id: CHECKED_LATER,
  text: CHECKED_LATER,
  kind: CHECKED_LATER,
  category: CHECKED_LATER,
  key: CHECKED_LATER,
  value: CHECKED_LATER,
  subject: CHECKED_LATER,
  aliases: CHECKED_LATER,
  scope: CHECKED_LATER,
  pinned: FLAG,
  validFrom: CHECKED_LATER,
  source: CHECKED_LATER,
  replaces: [(value) => typeof value === "string" || TEXTS[0](value), "the id of a memory, or a list of ids"],
  byHand: FLAG,
  artifacts: CHECKED_LATER,
  title: CHECKED_LATER,
  steps: CHECKED_LATER,
  template: CHECKED_LATER,
  levels: CHECKED_LATER,
  updatesPrevious: FLAG,
  keepSecrets: FLAG,
};
const INGEST_RULES: OptionRules<IngestInput> = {
  sessionId: CHECKED_LATER,
  messages: CHECKED_LATER,
  keepSecrets: FLAG,
};
const RECALL_RULES: OptionRules<RecallOptions> = {
  limit: CHECKED_LATER,
  cut: oneOf("calibrated", "none"),
  from: oneOf("both", "memories", "turns"),
  kinds: CHECKED_LATER,
  scope: CHECKED_LATER,
  asOf: CHECKED_LATER,
  budget: CHECKED_LATER,
};
const PATCH_RULES: OptionRules<MemoryPatch> = {
  text: CHECKED_LATER,
  category: CHECKED_LATER,
  key: CHECKED_LATER,
  value: CHECKED_LATER,
  subject: CHECKED_LATER,
  aliases: CHECKED_LATER,
  confidence: CHECKED_LATER,
  pinned: FLAG,
  scope: CHECKED_LATER,
  validFrom: CHECKED_LATER,
  validTo: CHECKED_LATER,
  archived: FLAG,
  artifacts: CHECKED_LATER,
  links: CHECKED_LATER,
  keepSecrets: FLAG,
};
const CONSOLIDATE_RULES: OptionRules<ConsolidateOptions> = { dryRun: FLAG, onProgress: FUNCTION, signal: OBJECT };

// A program that never writes a memory, or never looks for one, does not load the code for it.
const loadReads = lazy(() => import("./memory-reads.ts"));
const loadWrites = lazy(() => import("./memory-writes.ts"));
const loadUpkeep = lazy(() => import("./memory-upkeep.ts"));

/**
 * Memory across sessions. Returns only memories of the user, of their project, and those that everybody has.
 *
 * @example
 * await tl.memory.remember({ text: "We deploy on Fridays." });
 * const [hit] = await tl.memory.recall("When do we deploy?");
 */
export class MemoryService {
  readonly #context: MemoryContext;
  readonly #search = lazy(async () => {
    const { SearchSpaces } = await loadReads();
    return new SearchSpaces(this.#context.shelf, this.#context.embedder.name);
  });

  constructor(context: MemoryContext) {
    this.#context = context;
  }

  /** Saves a memory. The outcome is `added`, `merged` with one that says the same, or `replaced` one that no longer holds. */
  remember(input: RememberInput): Promise<Remembered> {
    return withMemorySpan(this.#context, REMEMBER_SPAN, input, async () => {
      checkOptions("memory.remember", input, REMEMBER_RULES);
      const [{ remember }, search] = await Promise.all([loadWrites(), this.#search()]);
      return remember(this.#context, search, input);
    });
  }

  /** Stores messages as evidence, and saves the facts in them as memories. */
  ingest(input: IngestInput): Promise<Ingested> {
    return withMemorySpan(this.#context, INGEST_SPAN, input, async () => {
      checkOptions("memory.ingest", input, INGEST_RULES);
      const [{ ingestTurns }, search] = await Promise.all([loadWrites(), this.#search()]);
      return ingestTurns(this.#context, search, input);
    });
  }

  /** Finds memories and messages for a question, best first. Returns none if nothing fits. */
  recall(query: string, options?: RecallOptions): Promise<readonly RecallHit[]> {
    return withMemorySpan(this.#context, RECALL_SPAN, query, async () => {
      checkOptions("memory.recall", options, RECALL_RULES);
      const [{ recallMemories }, search] = await Promise.all([loadReads(), this.#search()]);
      return recallMemories(this.#context, search, query, options);
    });
  }

  /** Finds memories by their text alone: age and use do not change the order, and the search does not count as use. */
  async fitting(query: string, options?: Pick<RecallOptions, "limit" | "from">): Promise<Fitting> {
    const [{ findFitting }, search] = await Promise.all([loadReads(), this.#search()]);
    return findFitting(this.#context, search, query, options);
  }

  /**
   * Finds memories for a question and renders them as a block for a prompt, within a budget of tokens. The block is escaped, so that stored
   * text cannot close it, and is not extracted again if it comes back in a transcript.
   */
  async recallBlock(query: string, { budget, isKnown = () => false }: BlockOptions): Promise<MemoryBlock | undefined> {
    const [{ renderMemories }, hits] = await Promise.all([loadReads(), this.recall(query)]);
    return renderMemories(
      hits.filter((hit) => !isKnown(hit)),
      budget,
    );
  }

  /** Returns the memory with an id; `undefined` if there is none. */
  async get(id: string): Promise<Memory | undefined> {
    const { findMemory } = await loadReads();
    return (await findMemory(this.#context, id))?.memory;
  }

  /** Returns the memories with some ids, in that order, without unknown ones. */
  async getAll(ids: readonly string[]): Promise<readonly Memory[]> {
    const { findMemories } = await loadReads();
    return findMemories(this.#context, ids);
  }

  /** Lists memories, oldest first. */
  async list(options?: ListOptions): Promise<readonly Memory[]> {
    const { listMemories } = await loadReads();
    return listMemories(this.#context, options);
  }

  /** Edits a memory. With `begun` it completes a move to another scope that was interrupted. */
  update(id: string, patch: MemoryPatch, begun?: BegunMove): Promise<Memory> {
    return withMemorySpan(this.#context, UPDATE_SPAN, id, async () => {
      checkOptions("memory.update", patch, PATCH_RULES);
      const { updateMemory } = await loadWrites();
      return updateMemory(this.#context, id, patch, begun);
    });
  }

  /** Archives a memory: `recall` no longer returns it. Undo it with the journal. */
  forget(id: string): Promise<Memory> {
    return withMemorySpan(this.#context, FORGET_SPAN, id, async () => {
      const { forgetMemory } = await loadWrites();
      return forgetMemory(this.#context, id);
    });
  }

  /** Erases memories or messages, one or many, with everything derived from them. This cannot be undone. */
  purge(ids: string | readonly string[]): Promise<ErasureReport> {
    return withMemorySpan(this.#context, PURGE_SPAN, ids, async () => {
      const [{ purgeMemories }, search] = await Promise.all([loadWrites(), this.#search()]);
      return purgeMemories(this.#context, search, ids);
    });
  }

  /** Erases the memories and messages that came from a session. */
  purgeSession(sessionId: string, options?: PurgeSessionOptions): Promise<void> {
    return withMemorySpan(this.#context, PURGE_SESSION_SPAN, sessionId, async () => {
      const [{ purgeSessionMemories }, search] = await Promise.all([loadWrites(), this.#search()]);
      return purgeSessionMemories(this.#context, search, sessionId, options);
    });
  }

  /** Records that a memory was useful. Words of `query` that found it become aliases of the memory. */
  async cite(id: string, { query }: { readonly query?: string } = {}): Promise<void> {
    const { trackUse, learnNames } = await loadWrites();
    await trackUse(this.#context, id, "cited");
    if (query !== undefined) await learnNames(this.#context, await this.#search(), id, query);
  }

  /** Records that a memory was returned and not useful. */
  async ignore(id: string): Promise<void> {
    const { trackUse } = await loadWrites();
    return trackUse(this.#context, id, "ignored");
  }

  /** Lists contradictions between memories. */
  async contradictions(filter?: { readonly status?: "open" | "resolved" }): Promise<readonly Contradiction[]> {
    const { listContradictions } = await loadReads();
    return listContradictions(this.#context, filter);
  }

  /** Resolves a contradiction: one memory wins, both stay, or one memory replaces both. */
  resolve(id: string, input: ResolveInput): Promise<Contradiction> {
    return withMemorySpan(this.#context, RESOLVE_SPAN, id, async () => {
      const { resolveConflict } = await loadWrites();
      return resolveConflict(this.#context, id, input);
    });
  }

  /** Merges duplicates, shortens old memories, archives expired ones and finds contradictions. With `dryRun` it only reports. */
  consolidate(options?: ConsolidateOptions): Promise<Consolidated> {
    return withMemorySpan(this.#context, CONSOLIDATE_SPAN, options, async () => {
      checkOptions("memory.consolidate", options, CONSOLIDATE_RULES);
      const { consolidateSpaces } = await loadUpkeep();
      return consolidateSpaces(this.#context, options);
    });
  }

  /** Consolidates every night, in one of the processes that share a store. Call the returned function to stop. */
  consolidateNightly(options?: NightlyOptions): () => Promise<void> {
    const { clock, logger } = this.#context;
    return everyNight({ clock, logger, work: () => this.consolidate() }, options);
  }

  /** Creates memories of the project from private ones that several of its users have in common. */
  share({ userIds }: { readonly userIds: readonly string[] }): Promise<Shared> {
    return withMemorySpan(this.#context, SHARE_SPAN, userIds, async () => {
      const { shareFacts } = await loadUpkeep();
      return shareFacts(this.#context, userIds);
    });
  }

  /** Lists changes of memories, newest first. */
  async journal(options?: { readonly limit?: number }): Promise<readonly JournalEntry[]> {
    const { readJournal } = await loadUpkeep();
    return readJournal(this.#context, options);
  }

  /** Undoes a change of the journal. Undoing an undo redoes it. With `begun` it completes an undo that was interrupted. */
  undo(journalId: string, begun?: BegunUndo): Promise<Undone> {
    return withMemorySpan(this.#context, UNDO_SPAN, journalId, async () => {
      const { undoEntry } = await loadUpkeep();
      return undoEntry(this.#context, journalId, begun);
    });
  }

  /** Exports all memories as plain data for `import`. */
  async export(): Promise<MemoryExport> {
    const { exportMemories } = await loadUpkeep();
    return exportMemories(this.#context);
  }

  /** Exports the current memories as Markdown. */
  async exportMarkdown(): Promise<string> {
    const { exportMemories, renderMemoriesMarkdown } = await loadUpkeep();
    const { memories, contradictions } = await exportMemories(this.#context);
    return renderMemoriesMarkdown(memories, contradictions);
  }

  /** Imports an export, or a pasted list of facts as ChatGPT and Claude write them. */
  import(data: unknown, options?: ImportOptions): Promise<Imported> {
    return withMemorySpan(this.#context, IMPORT_SPAN, data, async () => {
      const [{ importMemories }, search] = await Promise.all([loadUpkeep(), this.#search()]);
      return importMemories(this.#context, search, data, options);
    });
  }

  /** Embeds everything that has no vector of the current embedder. It can be aborted and resumes. */
  async reembed(options?: ReembedOptions): Promise<ReembedProgress> {
    const { reembed } = await loadUpkeep();
    return reembed(this.#context, options);
  }
}
