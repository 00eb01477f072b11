import { readdir } from "node:fs/promises";
import path from "node:path";
import { askGit } from "../git/run-git.ts";

/** Milliseconds for which a list is good enough to look up an import in it. */
const FRESH = 5_000;

/** The files of a project, ignored ones left out, as paths from its root with `/`. */
export class ProjectFiles {
  readonly #root: string;
  #known: { readonly at: number; readonly index: Promise<FileIndex> } | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** As they are now. */
  list(signal?: AbortSignal): Promise<FileIndex> {
    const index = listFiles(this.#root, signal).then((paths) => new FileIndex(paths));
    this.#known = { at: Date.now(), index };
    // Whoever asks next tries again.
    index.catch(() => {
      this.#known = undefined;
    });
    return index;
  }

  /** As they were a few seconds ago at most. */
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

  /** Right in a folder; "." is the root. */
  inFolder(folder: string): readonly string[] {
    this.#folders ??= Map.groupBy(this.paths, (file) => path.posix.dirname(file));
    return this.#folders.get(folder) ?? [];
  }

  named(name: string): readonly string[] {
    this.#names ??= Map.groupBy(this.paths, (file) => path.posix.basename(file));
    return this.#names.get(name) ?? [];
  }
}

/** What git knows and does not ignore; without git, what is not in `node_modules` or a folder that begins with a dot. */
async function listFiles(root: string, signal?: AbortSignal): Promise<readonly string[]> {
  const known = await listWithGit(root, signal);
  // A folder that git ignores as a whole, and that somebody wants to have read all the same.
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
    // Links are not followed: an entry is what it is itself.
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const name = path.posix.join(folder, entry.name);
      if (entry.isFile()) found.push(name);
      else if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules") open.push(name);
    }
  }
  return found;
}
