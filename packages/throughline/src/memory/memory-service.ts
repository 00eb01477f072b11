import { AT_LEAST_ZERO, checkOptions, FUNCTION, oneOf, TEXT, TEXTS } from "../errors/check-options.ts";
import { lazy } from "../internal/memoize.ts";
import type { Contradiction, Memory } from "../ports/memory.ts";
import type { ErasureReport, JournalEntry } from "../ports/memory-store.ts";
import type { MemoryBrowser } from "./browse/memory-browser.ts";
import type { Consolidated, ConsolidateOptions } from "./consolidate/consolidate-spaces.ts";
import { everyNight, type NightlyOptions } from "./consolidate/nightly.ts";
import type { Shared } from "./consolidate/share-facts.ts";
import type { ListOptions, UserProjects } from "./list-memories.ts";
import type * as api from "./memory-api.ts";
import type { MemoryContext } from "./memory-context.ts";
import { withMemorySpan } from "./memory-spans.ts";
import type { PurgeSessionOptions } from "./purge-memory.ts";
import type { BlockOptions, MemoryBlock } from "./recall/recall-block.ts";
import type { RelevantMemories } from "./recall/recall-memories.ts";
import type { ResolveInput } from "./remember/resolve.ts";
import type { ReembedOptions, ReembedProgress } from "./space/reembed.ts";
import type { Imported, ImportOptions } from "./transfer/import-memories.ts";
import type { MemoryExport } from "./transfer/memory-export.ts";
import type { ImportRecord } from "./undo/import-record.ts";
import type { RevertedMemories } from "./undo/revert-import.ts";
import type { Undone } from "./undo/undo-entry.ts";

// A program loads only the operations that it uses.
const loadLists = lazy(() => import("./list-memories.ts"));
const loadReads = lazy(() => import("./memory-reads.ts"));
const loadWrites = lazy(() => import("./memory-writes.ts"));
const loadMaintenance = lazy(() => import("./memory-maintenance.ts"));

/** Returns the dependencies of a `MemoryService`, for other modules of this folder. */
export let contextOf: (memory: MemoryService) => MemoryContext;

/**
 * Memory across sessions, as `tl.memory`. It sees the user's own memories, the shared ones of their project, and those
 * of the system.
 *
 * @example
 * await tl.memory.remember({ text: "We deploy on Fridays." });
 * const [hit] = await tl.memory.recall("When do we deploy?");
 */
export class MemoryService {
  readonly #context: MemoryContext;

  static {
    contextOf = (memory) => memory.#context;
  }

  readonly #search = lazy(async () => (await loadReads()).searchSpaces(this.#context));

  /** Called by `createThroughline`. */
  constructor(context: MemoryContext) {
    this.#context = context;
  }

  /**
   * Saves a memory. It is new, merges with a memory of the same content, or replaces an outdated one: by its key, a
   * stated change, `replaces`, or the verdict of the model, if there is one. If none of these decides, both are kept.
   * @param input The memory. Only its text is required.
   * @returns The stored memory, the outcome (`added`, `merged` or `replaced`), and up to five related current facts.
   * @throws InvalidOptionError if a field is invalid or unknown.
   * @throws NotFoundError if `replaces` has an unknown id.
   * @throws SecretRefusedError if it contains an API key, a password or a card number, unless `keepSecrets` is set.
   * @example await tl.memory.remember({ text: "We deploy on Fridays." });
   */
  remember(input: api.RememberInput): Promise<api.Remembered> {
    return withMemorySpan(this.#context, "remember", input, async () => {
      const [{ remember }, search] = await Promise.all([loadWrites(), this.#search()]);
      return remember(this.#context, search, input);
    });
  }

  /**
   * Stores messages as searchable evidence, and saves the facts in them as memories.
   * @param input The messages of one session. Messages with ids that are already stored are skipped.
   * @throws InvalidOptionError if the session id is missing or a message is invalid. Then nothing is stored.
   * @example await tl.memory.ingest({ sessionId: "s1", messages: [{ role: "user", text: "I live in Lisbon." }] });
   */
  ingest(input: api.IngestInput): Promise<api.Ingested> {
    return withMemorySpan(this.#context, "ingest", input, async () => {
      const [{ ingestTurns }, search] = await Promise.all([loadWrites(), this.#search()]);
      return ingestTurns(this.#context, search, input);
    });
  }

  /**
   * Finds memories and stored messages for a question, best first. Returns `[]` if nothing is relevant.
   * @param query Question or keywords. Of more than 4,000 characters, only the beginning and the end are used.
   * @param options Filters, number of hits, and token budget.
   * @throws InvalidOptionError if an option is invalid or unknown.
   * @example const [hit] = await tl.memory.recall("When do we deploy?", { limit: 3 });
   */
  recall(query: string, options?: api.RecallOptions): Promise<readonly api.RecallHit[]> {
    return withMemorySpan(this.#context, "recall", query, async () => {
      const [{ recallMemories }, search] = await Promise.all([loadReads(), this.#search()]);
      return recallMemories(this.#context, search, query, options);
    });
  }

  /**
   * Finds memories and stored messages by text alone: age and usage do not change the order, and usage is not counted.
   * @param query Question or keywords.
   * @param options `limit` is the number of hits (default 10); `from` selects memories, messages or both (default).
   * @example const { hits } = await tl.memory.findRelevant("deployment", { from: "memories" });
   */
  async findRelevant(query: string, options?: Pick<api.RecallOptions, "limit" | "from">): Promise<RelevantMemories> {
    const [{ findRelevant }, search] = await Promise.all([loadReads(), this.#search()]);
    return findRelevant(this.#context, search, query, options);
  }

  /**
   * Finds memories for a question and renders them as an escaped block for a prompt, which extraction ignores later.
   * @param query Question or keywords.
   * @param options Token budget, and a filter for hits that the prompt already contains.
   * @returns The block; `undefined` if no hit is relevant or fits into the budget.
   * @example const block = await tl.memory.recallBlock("When do we deploy?", { budget: 500 });
   */
  async recallBlock(query: string, options: BlockOptions): Promise<MemoryBlock | undefined> {
    checkOptions("memory.recallBlock", options, { budget: AT_LEAST_ZERO, isKnown: FUNCTION });
    const [{ renderMemories }, hits] = await Promise.all([loadReads(), this.recall(query)]);
    const fresh = hits.filter((hit) => !options.isKnown?.(hit));
    return renderMemories(fresh, options.budget);
  }

  /**
   * Returns a memory by its id, also if it has ended or is archived.
   * @param id Id of the memory.
   * @returns The memory; `undefined` if there is none with this id.
   * @example const memory = await tl.memory.get(id);
   */
  get(id: string): Promise<Memory | undefined>;
  /**
   * Returns several memories by their ids, also ended and archived ones, in the order of the ids. Unknown ids are left out.
   * @param ids Ids of the memories.
   * @example const memories = await tl.memory.get(["mem_1", "mem_2"]);
   */
  get(ids: readonly string[]): Promise<readonly Memory[]>;
  async get(ids: string | readonly string[]): Promise<Memory | undefined | readonly Memory[]> {
    const { findMemories } = await loadLists();
    const found = await findMemories(this.#context, typeof ids === "string" ? [ids] : ids);
    return typeof ids === "string" ? found[0] : found;
  }

  /**
   * Lists memories, oldest first.
   * @param options Filters and page. Default: the first 100 current memories.
   * @throws InvalidOptionError if the limit is below 1.
   * @example const preferences = await tl.memory.list({ category: "preference" });
   */
  async list(options?: ListOptions): Promise<readonly Memory[]> {
    const { listMemories } = await loadLists();
    return listMemories(this.#context, options);
  }

  /**
   * Lists the projects of the user with their numbers of memories and sessions, the last used first.
   * @example const { projects, personal } = await tl.memory.projects();
   */
  async projects(): Promise<UserProjects> {
    const { listProjects } = await loadLists();
    return listProjects(this.#context);
  }

  /**
   * Opens pages, histories, sources and audits of the memories, for tools that show them.
   * @example const { total } = await (await tl.memory.browser()).page({ kinds: ["fact"] });
   */
  readonly browser: () => Promise<MemoryBrowser> = lazy(async () => {
    const { MemoryBrowser } = await import("./browse/memory-browser.ts");
    return new MemoryBrowser(this.#context, this.#search);
  });

  /**
   * Changes a memory. A new scope moves it: the copy gets a new id, and the original is archived.
   * @param id Id of the memory.
   * @param patch Fields to change. `null` removes a value.
   * @returns The changed memory.
   * @throws NotFoundError if there is no memory with this id.
   * @throws InvalidOptionError if a field is invalid or unknown, or ten chat facts are already pinned.
   * @throws SecretRefusedError if a text contains an API key, a password or a card number, unless `keepSecrets` is set.
   * @example await tl.memory.update(id, { pinned: true });
   */
  update(id: string, patch: api.MemoryPatch): Promise<Memory> {
    return withMemorySpan(this.#context, "update", id, async () => {
      const { updateMemory } = await loadWrites();
      return updateMemory(this.#context, id, patch);
    });
  }

  /**
   * Archives a memory: `recall` no longer returns it. `update(id, { archived: false })` restores it.
   * @param id Id of the memory.
   * @throws NotFoundError if there is no memory with this id.
   * @example await tl.memory.forget(id);
   */
  forget(id: string): Promise<Memory> {
    return withMemorySpan(this.#context, "forget", id, async () => {
      const { forgetMemory } = await loadWrites();
      return forgetMemory(this.#context, id);
    });
  }

  /**
   * Erases memories with their source messages, or messages with the memories extracted from them, for good.
   * @param ids One id or several. Memories that were saved by hand only lose an erased message as their source.
   * @returns Number of erased items.
   * @throws NotFoundError if an id is unknown. Then nothing is erased.
   * @example const { memories, turns } = await tl.memory.purge(id);
   */
  purge(ids: string | readonly string[]): Promise<ErasureReport> {
    return withMemorySpan(this.#context, "purge", ids, async () => {
      const [{ purgeMemories }, search] = await Promise.all([loadWrites(), this.#search()]);
      return purgeMemories(this.#context, search, ids);
    });
  }

  /**
   * Erases the stored messages of a session and the memories that come from them. This cannot be undone.
   * @param sessionId Id of the session. An unknown id erases nothing.
   * @param options `keepMemories` keeps the memories. Default: they are erased too.
   * @example await tl.memory.purgeSession("s1", { keepMemories: true });
   */
  purgeSession(sessionId: string, options?: PurgeSessionOptions): Promise<void> {
    return withMemorySpan(this.#context, "purgeSession", sessionId, async () => {
      const [{ purgeSessionMemories }, search] = await Promise.all([loadWrites(), this.#search()]);
      return purgeSessionMemories(this.#context, search, sessionId, options);
    });
  }

  /**
   * Records that a memory was useful. Words of the query that occur nowhere else become aliases on their second use.
   * @param id Id of the memory.
   * @param options The query that found the memory, to learn aliases from.
   * @throws NotFoundError if there is no memory with this id.
   * @example await tl.memory.cite(id, { query: "ship day" });
   */
  async cite(id: string, options: { readonly query?: string } = {}): Promise<void> {
    checkOptions("memory.cite", options, { query: TEXT });
    const { query } = options;
    const { trackUse, learnNames } = await loadWrites();
    await trackUse(this.#context, id, "cited");
    if (query !== undefined) await learnNames(this.#context, await this.#search(), id, query);
  }

  /**
   * Records that a memory was returned but not useful.
   * @param id Id of the memory.
   * @throws NotFoundError if there is no memory with this id.
   * @example await tl.memory.ignore(id);
   */
  async ignore(id: string): Promise<void> {
    return (await loadWrites()).trackUse(this.#context, id, "ignored");
  }

  /**
   * Lists contradictions between memories.
   * @param filter `status` lists only open or only resolved ones. Default: all.
   * @example const open = await tl.memory.contradictions({ status: "open" });
   */
  async contradictions(filter?: { readonly status?: "open" | "resolved" }): Promise<readonly Contradiction[]> {
    return (await loadLists()).listContradictions(this.#context, filter);
  }

  /**
   * Resolves a contradiction: one memory wins and the other ends, both stay, or a merged memory replaces both.
   * @param id Id of the contradiction.
   * @param input The resolution, a note, and the text of a merged memory.
   * @returns The resolved contradiction.
   * @throws NotFoundError if there is no contradiction with this id.
   * @throws InvalidOptionError if it is already resolved, or the resolution is unknown.
   * @throws SecretRefusedError if the note or the text contains an API key, a password or a card number.
   * @example await tl.memory.resolve(open.id, { resolution: "b_wins", note: "We migrated." });
   */
  resolve(id: string, input: ResolveInput): Promise<Contradiction> {
    return withMemorySpan(this.#context, "resolve", id, async () => {
      const { resolveConflict } = await loadWrites();
      return resolveConflict(this.#context, id, input);
    });
  }

  /**
   * Merges duplicates, shortens old memories, archives expired ones, and finds contradictions and links.
   * @param options `dryRun` returns the counts and changes nothing.
   * @returns Counts, and the journal entry that undoes the whole run.
   * @throws StoreError `busy` if another process is consolidating the same memories.
   * @example const { deduped, journalId } = await tl.memory.consolidate();
   */
  consolidate(options?: ConsolidateOptions): Promise<Consolidated> {
    return withMemorySpan(this.#context, "consolidate", options, async () => {
      const [{ consolidateSpaces }, search] = await Promise.all([loadMaintenance(), this.#search()]);
      return consolidateSpaces(this.#context, search, options);
    });
  }

  /**
   * Consolidates every night. If several processes share a store, one of them does it. Failures are logged.
   * @param options Hour of the day in local time, 0 to 23. Default: 3.
   * @returns A function that stops it and waits for a running consolidation.
   * @example const stop = tl.memory.consolidateNightly({ hour: 4 });
   */
  consolidateNightly(options?: NightlyOptions): () => Promise<void> {
    checkOptions("memory.consolidateNightly", options, { hour: AT_LEAST_ZERO });
    const { clock, logger } = this.#context;
    return everyNight({ clock, logger, work: () => this.consolidate() }, options);
  }

  /**
   * Creates shared memories of the project from facts that several users have in common. Their private facts stay.
   * @param options Ids of the users whose private facts about the project are compared.
   * @returns New and changed shared memories, and new contradictions between users.
   * @throws InvalidOptionError if the instance has no `projectId`.
   * @example await tl.memory.share({ userIds: ["ada", "ben"] });
   */
  async share(options: { readonly userIds: readonly string[] }): Promise<Shared> {
    checkOptions("memory.share", options, { userIds: TEXTS });
    return withMemorySpan(this.#context, "share", options.userIds, async () => {
      return (await loadMaintenance()).shareFacts(this.#context, options.userIds);
    });
  }

  /**
   * Lists changes of memories, newest first.
   * @param options Maximum number of entries. Default: 50.
   * @example const [last] = await tl.memory.journal({ limit: 1 });
   */
  async journal(options?: { readonly limit?: number }): Promise<readonly JournalEntry[]> {
    return (await loadMaintenance()).readJournal(this.#context, options);
  }

  /**
   * Undoes a change. Undoing an undo redoes the change.
   * @param journalId Id of the journal entry.
   * @returns The restored memories, and the journal entry of the undo.
   * @throws NotFoundError if there is no entry with this id.
   * @throws UndoRefusedError if an affected item changed since. Then nothing is undone.
   * @example for (const { id } of await tl.memory.journal({ limit: 1 })) await tl.memory.undo(id);
   */
  undo(journalId: string): Promise<Undone> {
    return withMemorySpan(this.#context, "undo", journalId, async () => {
      const { undoEntry } = await loadMaintenance();
      return undoEntry(this.#context, journalId);
    });
  }

  /**
   * Exports all memories, ended and archived ones included, with messages, contradictions and journal.
   * @param options Format. Default: JSON, as an object.
   * @throws InvalidOptionError if the format is unknown.
   * @example await writeFile("memories.json", JSON.stringify(await tl.memory.export()));
   */
  export(options?: { readonly format?: "json" }): Promise<MemoryExport>;
  /**
   * Exports all memories as a document for people. `import` reads it as a list of facts.
   * @param options The format `markdown`.
   * @example await writeFile("memories.md", await tl.memory.export({ format: "markdown" }));
   */
  export(options: { readonly format: "markdown" }): Promise<string>;
  async export(options?: { readonly format?: "json" | "markdown" }): Promise<MemoryExport | string> {
    checkOptions("memory.export", options, { format: oneOf("json", "markdown") });
    const { exportMemories, renderMemoriesMarkdown } = await loadMaintenance();
    const exported = await exportMemories(this.#context);
    return options?.format === "markdown"
      ? renderMemoriesMarkdown(exported.memories, exported.contradictions)
      : exported;
  }

  /**
   * Imports an export, or a pasted list of facts as ChatGPT and Claude write them. A second import changes nothing.
   * @param data An export, as JSON text or object; or the pasted text.
   * @param options `dryRun` returns the counts and changes nothing; `signal` cancels, `onProgress` reports.
   * @throws InvalidImportError if an export is invalid. Then nothing is imported.
   * @example const { added } = await tl.memory.import(await readFile("memories.json", "utf8"));
   */
  import(data: unknown, options?: ImportOptions): Promise<Imported> {
    return withMemorySpan(this.#context, "import", data, async () => {
      const [{ importMemories }, search] = await Promise.all([loadMaintenance(), this.#search()]);
      return importMemories(this.#context, search, data, options);
    });
  }

  /**
   * Reverts the changes of an import to memories. The command line and the server also erase its sessions.
   * @param record The record of the import.
   * @param options `dryRun` returns the result and changes nothing.
   * @example const { kept } = await tl.memory.revertImport(record, { dryRun: true });
   */
  async revertImport(record: ImportRecord, options?: { readonly dryRun?: boolean }): Promise<RevertedMemories> {
    return (await loadMaintenance()).revertImport(this.#context, await this.#search(), record, options);
  }

  /**
   * Creates the missing vectors after you changed the embedder. An aborted run continues at the next call.
   * @param options Progress callback and abort signal.
   * @example await tl.memory.reembed({ onProgress: ({ embedded }) => console.log(embedded) });
   */
  async reembed(options?: ReembedOptions): Promise<ReembedProgress> {
    return (await loadMaintenance()).reembed(this.#context, options);
  }
}
