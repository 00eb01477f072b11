import { createHash } from "node:crypto";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import type { SyntaxNode } from "throughline/internal/engine";
import { askGit } from "./run-git.ts";

/** Milliseconds that a file list stays fresh enough to resolve imports. */
const MAX_LIST_AGE = 5_000;

/** The files of a project without ignored ones, as paths from its root with `/`. */
export class ProjectFiles {
  readonly #root: string;
  #known: { readonly at: number; readonly index: Promise<FileIndex> } | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** The current list. */
  list(signal?: AbortSignal): Promise<FileIndex> {
    const index = listFiles(this.#root, signal).then((paths) => new FileIndex(paths));
    this.#known = { at: Date.now(), index };
    // The next call tries again.
    index.catch(() => {
      this.#known = undefined;
    });
    return index;
  }

  /** A list that is at most a few seconds old. */
  recent(): Promise<FileIndex> {
    const isFresh = this.#known !== undefined && Date.now() - this.#known.at < MAX_LIST_AGE;
    return isFresh && this.#known !== undefined ? this.#known.index : this.list();
  }
}

/** Files by path, by folder and by name. */
export class FileIndex {
  readonly paths: readonly string[];
  readonly #all: ReadonlySet<string>;
  #folders: ReadonlyMap<string, readonly string[]> | undefined;
  #names: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(paths: readonly string[]) {
    this.paths = paths;
    this.#all = new Set(paths);
  }

  has(file: string): boolean {
    return this.#all.has(file);
  }

  /** Files directly in a folder; "." is the root. */
  inFolder(folder: string): readonly string[] {
    this.#folders ??= Map.groupBy(this.paths, (file) => path.posix.dirname(file));
    return this.#folders.get(folder) ?? [];
  }

  named(name: string): readonly string[] {
    this.#names ??= Map.groupBy(this.paths, (file) => path.posix.basename(file));
    return this.#names.get(name) ?? [];
  }
}

/** Files that git knows and does not ignore; without git, all except `node_modules` and hidden folders. */
async function listFiles(root: string, signal?: AbortSignal): Promise<readonly string[]> {
  const known = await listWithGit(root, signal);
  // A folder that git ignores, but that the user named.
  const paths = known.length > 0 ? known : await walkFolder(root, signal);
  return [...new Set(paths)].sort();
}

const LIST = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];

async function listWithGit(root: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const { code, answer } = await askGit(root, LIST, signal);
  // No git, no repository, or one that git does not trust.
  return code === 0 ? answer.split("\0").filter((file) => file !== "") : [];
}

async function walkFolder(root: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    signal?.throwIfAborted();
    // Links are not followed.
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const name = path.posix.join(folder, entry.name);
      if (entry.isFile()) found.push(name);
      else if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules") open.push(name);
    }
  }
  return found;
}

/** Larger files are generated. */
const MAX_BYTES = 512 * 1024;
/** Average line length above which a file counts as minified, if it is long enough. */
const MINIFIED = { characters: 20_000, perLine: 400 };

/** Reads the files of a folder, and refuses paths and links that lead outside. */
export class SourceReader {
  readonly #root: string;
  #home: Promise<string> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** True if the path is a regular file here, not a link. */
  async has(file: string): Promise<boolean> {
    return (await this.#find(file)) !== undefined;
  }

  /** The text of a source file; `undefined` if it is missing, too large, generated or binary. */
  async text(file: string): Promise<string | undefined> {
    const found = await this.#find(file);
    const text = found === undefined || found.size > MAX_BYTES ? undefined : (await read(found))?.toString();
    return text === undefined || text.includes("\0") || isMinified(text) ? undefined : text;
  }

  /** A short digest of a file's content. Files that are too large to parse use size and time. */
  async digest(file: string): Promise<string | undefined> {
    const found = await this.#find(file);
    if (found === undefined) return undefined;
    const content = found.size > MAX_BYTES ? `${found.size} ${found.changedAt}` : await read(found);
    return content === undefined ? undefined : createHash("sha256").update(content).digest("hex").slice(0, 16);
  }

  /** `undefined` if it is missing, inaccessible, not a regular file, or outside of the folder. */
  async #find(file: string): Promise<Found | undefined> {
    const full = path.resolve(this.#root, file);
    this.#home ??= realpath(this.#root);
    try {
      const [entry, place, home] = await Promise.all([lstat(full), realpath(full), this.#home]);
      const way = path.relative(home, place);
      const isInside = entry.isFile() && !/^\.\.(?:[\\/]|$)/.test(way) && !path.isAbsolute(way);
      return isInside ? { path: place, size: entry.size, changedAt: entry.mtimeMs } : undefined;
    } catch {
      return undefined;
    }
  }
}

interface Found {
  readonly path: string;
  readonly size: number;
  readonly changedAt: number;
}

/** `undefined` without permission to read it. */
function read({ path: file }: Found): Promise<Buffer | undefined> {
  return readFile(file).catch(() => undefined);
}

function isMinified(text: string): boolean {
  if (text.length < MINIFIED.characters) return false;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text.length / lines > MINIFIED.perLine;
}

/** A file whose imports are resolved. */
export interface ImportLookup {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly root: SyntaxNode;
  readonly files: FileIndex;
  /** Reads another file of the project. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** The first candidate that exists in the project. */
export function firstKnown(files: FileIndex, candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => files.has(candidate));
}

/** A folder and its parents, nearest first; the root is ".". */
export function foldersAbove(folder: string): readonly string[] {
  const steps = folder === "." ? [] : folder.split("/");
  return [...steps.map((_, i) => steps.slice(0, steps.length - i).join("/")), "."];
}
