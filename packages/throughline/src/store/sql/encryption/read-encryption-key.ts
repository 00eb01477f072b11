import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { InvalidOptionError } from "../../../errors/invalid-option-error.ts";
import { KEY_BYTES, keyBytes } from "./encryption-key.ts";

const VARIABLE = "THROUGHLINE_ENCRYPTION_KEY";
const FILE_VARIABLE = "THROUGHLINE_ENCRYPTION_KEY_FILE";
/** No key is longer, with all that may stand around it. */
const MAX_FILE_LENGTH = 1024;
const OTHERS = 0o077;
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

export interface KeySources {
  /** Where THROUGHLINE_ENCRYPTION_KEY, or THROUGHLINE_ENCRYPTION_KEY_FILE, may stand. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A file that holds the key, whatever the environment says. */
  readonly file?: string;
}

/**
 * The key for a store, from a file or from the environment: as base64, as hex, or in a file as 32 bytes. `undefined` where
 * neither names one.
 *
 * @throws InvalidOptionError where there is no key, where both variables are set, or where others may read the file. No
 * word of what was found stands in it.
 * @example
 * const encryptionKey = readEncryptionKey({ env: process.env });
 */
export function readEncryptionKey({ env = {}, file }: KeySources): Uint8Array | undefined {
  if (file !== undefined) return keyOfFile(file);
  const { [VARIABLE]: key, [FILE_VARIABLE]: named } = env;
  if (key !== undefined && named !== undefined) {
    throw new InvalidOptionError(VARIABLE, `set, and so is ${FILE_VARIABLE}`, "one of the two");
  }
  // An empty one is a variable of a script that was not set: nobody may take that for "not encrypted".
  if (key !== undefined) return keyBytes(key, VARIABLE);
  return named === undefined ? undefined : keyOfFile(named);
}

function keyOfFile(path: string): Uint8Array {
  const content = contentOf(path);
  const name = `The key in ${path}`;
  return keyBytes(content.length === KEY_BYTES ? content : content.toString("latin1"), name);
}

function contentOf(path: string): Buffer {
  const file = opened(path);
  try {
    // Of the file that is open, not of what may be in its place by now.
    const stats = fstatSync(file);
    if (!stats.isFile()) throw refused(path, "no file", "a file that holds the key");
    // Windows has no such bits.
    if (process.platform !== "win32" && (stats.mode & OTHERS) !== 0) {
      const mode = (stats.mode & 0o777).toString(8).padStart(3, "0");
      throw refused(path, `open to others (its mode is ${mode})`, `a file of yours alone: chmod 600 ${path}`);
    }
    const content = Buffer.alloc(MAX_FILE_LENGTH);
    return content.subarray(0, readSync(file, content));
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    // Without waiting, should it be a pipe.
    return openSync(path, O_RDONLY | O_NONBLOCK);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    throw refused(path, code === "ENOENT" ? "not there" : `not to be opened (${code})`, "a file that holds the key");
  }
}

function refused(path: string, what: string, wanted: string): InvalidOptionError {
  return new InvalidOptionError(`The key file ${path}`, what, wanted);
}
