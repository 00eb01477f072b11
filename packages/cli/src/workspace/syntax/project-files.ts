import { readdir } from "node:fs/promises";
import path from "node:path";
import { askGit } from "../git/run-git.ts";

/** Milliseconds that a file list stays fresh enough to resolve imports. */
const FRESH = 5_000;

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
    const isFresh = this.#known !== undefined && Date.now() - this.#known.at < FRESH;
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
  // A folder that git ignores as a whole, but that the user asked for.
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
