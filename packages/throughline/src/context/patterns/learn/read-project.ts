import type { Workspace } from "../../../ports/workspace.ts";
import type { FileFacts } from "../code-unit.ts";
import { readFacts } from "../read/read-facts.ts";
import { type FactPage, FileFactStore, type KnownFile } from "./file-fact-store.ts";

/** Counts of the files of a run. */
export interface ReadCounts {
  /** All source files. */
  readonly files: number;
  /** New or changed files. */
  readonly parsed: number;
  /** New or changed files that could not be parsed: too large, or generated. */
  readonly skipped: number;
  /** Files that were deleted since the last run. */
  readonly gone: number;
}

export interface ReadOptions {
  readonly workspace: Workspace;
  readonly book: FileFactStore;
  /** True if nothing is saved. */
  readonly dryRun: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

/**
 * Facts about all files of a project. New and changed files are read, others come from the store. An aborted run keeps
 * the facts that it has read.
 */
export async function readProject(
  options: ReadOptions,
): Promise<{ readonly facts: ReadonlyMap<string, FileFacts>; readonly counts: ReadCounts }> {
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
  const { workspace, book, dryRun, signal, take } = options;
  const before = await book.read(page);
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
    if (!dryRun && !isSame(before, next)) await book.write(page, next);
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
