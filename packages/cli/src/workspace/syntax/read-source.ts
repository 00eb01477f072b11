import { createHash } from "node:crypto";
import { lstat, readFile, realpath } from "node:fs/promises";
import path from "node:path";

/** Larger files are generated. */
const MAX_BYTES = 512 * 1024;
/** Average line length above which a file counts as minified, if it is long enough. */
const MINIFIED = { characters: 20_000, perLine: 400 };

/** Reads the files of a folder, and nothing outside of it by path or link. */
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
