import { createHash } from "node:crypto";
import { lstat, readFile, realpath } from "node:fs/promises";
import path from "node:path";

/** What is larger was written by a program. */
const MOST_BYTES = 512 * 1024;
/** So was what has lines that nobody could read, where there is enough of it to tell. */
const MINIFIED = { characters: 20_000, perLine: 400 };

/** The text of a source; nothing where it is not there, too large, written by a program, or no text. */
export async function readSource(root: string, file: string): Promise<string | undefined> {
  const bytes = await readInside(root, file, MOST_BYTES);
  const text = bytes?.toString();
  return text === undefined || text.includes("\0") || isMinified(text) ? undefined : text;
}

/** A short digest of what is in a file. What is too large to be parsed goes by its size and time. */
export async function digestFile(root: string, file: string): Promise<string | undefined> {
  const found = await findInside(root, file);
  if (found === undefined) return undefined;
  const content =
    found.size > MOST_BYTES ? `${found.size} ${found.changedAt}` : await readInside(root, file, MOST_BYTES);
  return content === undefined ? undefined : createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/** Whether a path names a file of the project, and not a link. */
export async function isInside(root: string, file: string): Promise<boolean> {
  return (await findInside(root, file)) !== undefined;
}

async function readInside(root: string, file: string, most: number): Promise<Buffer | undefined> {
  const found = await findInside(root, file);
  if (found === undefined || found.size > most) return undefined;
  return readFile(found.path).catch(() => undefined);
}

interface Found {
  readonly path: string;
  readonly size: number;
  readonly changedAt: number;
}

/** Nothing where it is not there, cannot be looked at, is no file, or is out of the project, by its name or by a link. */
async function findInside(root: string, file: string): Promise<Found | undefined> {
  const full = path.resolve(root, file);
  try {
    const entry = await lstat(full);
    if (!entry.isFile()) return undefined;
    const [home, place] = await Promise.all([realpath(root), realpath(full)]);
    const way = path.relative(home, place);
    const isOutside = way.startsWith("..") || path.isAbsolute(way);
    return isOutside ? undefined : { path: place, size: entry.size, changedAt: entry.mtimeMs };
  } catch {
    return undefined;
  }
}

function isMinified(text: string): boolean {
  if (text.length < MINIFIED.characters) return false;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text.length / lines > MINIFIED.perLine;
}
