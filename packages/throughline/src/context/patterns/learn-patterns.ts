import { digest, isRecord } from "../../internal/json.ts";
import type { MemoryService } from "../../memory/memory-service.ts";
import { type Caller, spaceOf } from "../../memory/space/spaces.ts";
import type { DocumentStore } from "../../ports/store.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { changeDocument } from "../change-document.ts";
import type { FileFacts } from "./code-unit.ts";
import { minePatterns } from "./mine/mine-patterns.ts";
import { readFacts } from "./read/read-facts.ts";
import { type KeptPatterns, savePatterns } from "./save-patterns.ts";

/** Options of `tl.context.learnPatterns`. */
export interface LearnPatternsOptions {
  /** Returns the patterns without saving anything. Default: false. */
  readonly dryRun?: boolean;
  /** Aborts the run. The reason of the signal is thrown, and the next run continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each file. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
  /** Path of the workspace in its repository. Patterns of different paths are stored separately. Default: the root. */
  readonly subfolder?: string;
}

interface LearningPorts extends Caller {
  readonly workspace: Workspace;
  readonly memory: MemoryService;
  readonly documents: DocumentStore;
}

/** Result of `tl.context.learnPatterns`. */
export interface LearnedPatterns extends KeptPatterns {
  /** Counts of the files. */
  readonly read: ReadTally;
}

/**
 * Learns coding patterns from the sources of a project and saves them as memories. Unchanged files are not read again.
 * With `dryRun`, nothing is saved.
 *
 * @example
 * const { patterns } = await learnPatterns({ workspace: openWorkspace("."), memory, documents, owner, projectId });
 * patterns[0]?.pattern.hint; // "endpoint: route→zod→result→json"
 */
export async function learnPatterns(options: LearnPatternsOptions & LearningPorts): Promise<LearnedPatterns> {
  const { workspace, documents, subfolder = "", dryRun = false, signal, onProgress } = options;
  const space = spaceOf(options.projectId === undefined ? "user-private" : "project-shared", options);
  const prefix = `patterns/${digest(subfolder)}/`;
  const factStore = new FileFactStore(documents, space, prefix);
  const { facts, counts } = await readProject({ workspace, factStore, dryRun, signal, onProgress });
  if (signal?.aborted) throw signal.reason;
  const recent = await recentFiles(workspace, signal);
  const kept = await savePatterns(minePatterns(facts, recent), { ...options, subfolder, space, prefix, dryRun });
  return { read: counts, ...kept };
}

/** Number of commits that count as recent. */
const RECENT_COMMITS = 300;

/** Files of the newest commits. Empty if there is no history, or if it cannot be read. */
async function recentFiles(workspace: Workspace, signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  try {
    const history = workspace.history({ limit: RECENT_COMMITS, ...(signal !== undefined && { signal }) });
    for await (const commit of history) for (const file of commit.files) files.add(file);
  } catch {
    signal?.throwIfAborted();
  }
  return files;
}

/** Facts about a file, with the digest of its content. `null` if it could not be parsed. */
interface KnownFile {
  readonly digest: string;
  readonly facts: FileFacts | null;
}

type FactPage = Readonly<Record<string, KnownFile>>;

/** Counts of the files of a run. */
export interface ReadTally {
  /** All source files. */
  readonly files: number;
  /** New or changed files. */
  readonly parsed: number;
  /** New or changed files that could not be parsed: too large, or generated. */
  readonly skipped: number;
  /** Files that were deleted since the last run. */
  readonly gone: number;
}

interface ReadOptions {
  readonly workspace: Workspace;
  readonly factStore: FileFactStore;
  /** True if nothing is saved. */
  readonly dryRun: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

/**
 * Facts about all files of a project. New and changed files are read, others come from the store. An aborted run keeps
 * the facts that it has read.
 */
async function readProject(
  options: ReadOptions,
): Promise<{ readonly facts: ReadonlyMap<string, FileFacts>; readonly counts: ReadTally }> {
  const { workspace, signal, onProgress } = options;
  const paths: string[] = [];
  for await (const path of workspace.sources(signal === undefined ? {} : { signal })) paths.push(path);
  const facts = new Map<string, FileFacts>();
  const counts = { files: paths.length, parsed: 0, skipped: 0, gone: 0 };
  let done = 0;
  const take = (path: string, { known, isNew }: ReadFile): void => {
    if (known?.facts) facts.set(path, known.facts);
    else if (isNew) counts.skipped += 1;
    if (isNew) counts.parsed += 1;
    done += 1;
    onProgress?.({ done, total: paths.length });
  };
  for (const [page, files] of FileFactStore.pagesOf(paths))
    counts.gone += await readPage(page, files, { ...options, take });
  return { facts, counts };
}

interface PageOptions extends ReadOptions {
  readonly take: (path: string, read: ReadFile) => void;
}

/** Reads the files of a page. Returns the number of its deleted files. */
async function readPage(page: number, files: readonly string[], options: PageOptions): Promise<number> {
  const { workspace, factStore, dryRun, signal, take } = options;
  const before = await factStore.read(page);
  const now: Record<string, KnownFile> = {};
  let isWhole = false;
  try {
    const digests = await Promise.all(files.map((file) => workspace.digest(file)));
    for (const [i, file] of files.entries()) {
      if (signal?.aborted) throw signal.reason;
      const read = await readFile(workspace, file, { digest: digests[i], before: before[file] });
      if (read.known !== undefined) now[file] = read.known;
      take(file, read);
    }
    isWhole = true;
  } finally {
    // Files that were not reached keep their known facts.
    const next: FactPage = isWhole ? now : { ...before, ...now };
    if (!dryRun && !isSame(before, next)) await factStore.write(page, next);
  }
  return Object.keys(before).filter((file) => now[file] === undefined).length;
}

interface ReadFile {
  /** Undefined if the file was deleted during the run. */
  readonly known?: KnownFile;
  readonly isNew: boolean;
}

interface Version {
  readonly digest: string | undefined;
  readonly before: KnownFile | undefined;
}

async function readFile(workspace: Workspace, path: string, { digest, before }: Version): Promise<ReadFile> {
  if (digest === undefined) return { isNew: false };
  if (before?.digest === digest) return { known: before, isNew: false };
  const source = await workspace.parse(path);
  return { known: { digest, facts: source === undefined ? null : readFacts(source) }, isNew: true };
}

function isSame(a: FactPage, b: FactPage): boolean {
  const files = Object.keys(a);
  return files.length === Object.keys(b).length && files.every((file) => a[file]?.digest === b[file]?.digest);
}

/** Version of the reader. A new version reads all files again. */
const VERSION = 2;
/** Number of documents per project: few enough to read all, and small enough to write often. */
const PAGES = 32;

/** Stored facts about a project's files, in pages, so that an aborted run keeps the pages it has read. */
class FileFactStore {
  readonly #documents: DocumentStore;
  readonly #space: string;
  readonly #prefix: string;

  constructor(documents: DocumentStore, space: string, prefix: string) {
    this.#documents = documents;
    this.#space = space;
    this.#prefix = `${prefix}files/`;
  }

  static pagesOf(files: readonly string[]): ReadonlyMap<number, readonly string[]> {
    const empty = Array.from({ length: PAGES }, (_, page) => [page, [] as readonly string[]] as const);
    return new Map([...empty, ...Map.groupBy(files, pageOf)]);
  }

  async read(page: number): Promise<FactPage> {
    return parse((await this.#documents.get(this.#space, this.#nameOf(page)))?.value);
  }

  /** Replaces a page. Concurrent writers have the same content, because they read the same project. */
  async write(page: number, files: FactPage): Promise<void> {
    const place = { documents: this.#documents, space: this.#space, name: this.#nameOf(page) };
    await changeDocument(place, () => ({ version: VERSION, files }));
  }

  #nameOf(page: number): string {
    return this.#prefix + String(page).padStart(2, "0");
  }
}

function pageOf(file: string): number {
  return Number.parseInt(digest(file).slice(-4), 16) % PAGES;
}

function parse(value: unknown): FactPage {
  const isOurs = isRecord(value) && value.version === VERSION && isRecord(value.files);
  // Only this class writes it. Other versions are ignored.
  return isOurs ? (value.files as FactPage) : {};
}
