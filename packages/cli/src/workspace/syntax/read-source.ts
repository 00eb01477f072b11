import { createHash } from "node:crypto";
import { lstat, readFile, realpath } from "node:fs/promises";
import path from "node:path";

/** What is larger was written by a program. */
const MAX_BYTES = 512 * 1024;
/** So was what has lines that nobody could read, where there is enough of it to tell. */
const MINIFIED = { characters: 20_000, perLine: 400 };

/** Reads the files of a folder, and nothing that is out of it, by its name or by a link. */
export class SourceReader {
  readonly #root: string;
  #home: Promise<string> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether a path names a file here, and not a link. */
  async has(file: string): Promise<boolean> {
    return (await this.#find(file)) !== undefined;
  }

  /** The text of a source; nothing where it is not there, too large, written by a program, or no text. */
  async text(file: string): Promise<string | undefined> {
    const found = await this.#find(file);
    const text = found === undefined || found.size > MAX_BYTES ? undefined : (await read(found))?.toString();
    return text === undefined || text.includes("\0") || isMinified(text) ? undefined : text;
  }

  /** A short digest of what is in a file. What is too large to be parsed goes by its size and time. */
  async digest(file: string): Promise<string | undefined> {
    const found = await this.#find(file);
    if (found === undefined) return undefined;
    const content = found.size > MAX_BYTES ? `${found.size} ${found.changedAt}` : await read(found);
    return content === undefined ? undefined : createHash("sha256").update(content).digest("hex").slice(0, 16);
  }

  /** Nothing where it is not there, cannot be looked at, is no file, or is out of the folder. */
  async #find(file: string): Promise<Found | undefined> {
    const full = path.resolve(this.#root, file);
    this.#home ??= realpath(this.#root);
    try {
      const [entry, place, home] = await Promise.all([lstat(full), realpath(full), this.#home]);
      const way = path.relative(home, place);
      const isInside = entry.isFile() && !way.startsWith("..") && !path.isAbsolute(way);
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

/** Nothing where nobody may read it. */
function read({ path: file }: Found): Promise<Buffer | undefined> {
  return readFile(file).catch(() => undefined);
}

function isMinified(text: string): boolean {
  if (text.length < MINIFIED.characters) return false;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text.length / lines > MINIFIED.perLine;
}
