import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { checkOptions, OBJECT, TEXT } from "../../../errors/check-options.ts";
import { InvalidOptionError } from "../../../errors/input-errors.ts";

/** 32 bytes, raw or as base64 or hex. Make one with `openssl rand -base64 32`. */
export type EncryptionKey = Uint8Array | string;

export const KEY_BYTES = 32;

const HEX = /^[0-9a-f]{64}$/i;
/** 32 bytes in either base64 alphabet. */
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;
const WANTED = "32 bytes, as they are or as base64 or hex; `openssl rand -base64 32` makes a key";

/**
 * Returns the bytes of a key.
 *
 * @throws InvalidOptionError if the key is invalid. The error does not contain it.
 */
export function keyBytes(key: EncryptionKey, name = "encryptionKey"): Uint8Array {
  if (typeof key !== "string") {
    // A copy, because the caller may wipe the original.
    if (key.length === KEY_BYTES) return Uint8Array.from(key);
    throw new InvalidOptionError(name, `${key.length} bytes`, WANTED);
  }
  const text = key.trim();
  if (HEX.test(text)) return Uint8Array.from(Buffer.from(text, "hex"));
  if (BASE64.test(text)) return Uint8Array.from(Buffer.from(text, "base64"));
  throw new InvalidOptionError(name, `${text.length} characters that are not a key`, WANTED);
}

const VARIABLE = "THROUGHLINE_ENCRYPTION_KEY";
const FILE_VARIABLE = "THROUGHLINE_ENCRYPTION_KEY_FILE";
/** Maximum size of a key file, including white space. */
const MAX_FILE_LENGTH = 1024;
const OTHERS = 0o077;
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

export interface KeySources {
  /** Environment with THROUGHLINE_ENCRYPTION_KEY or THROUGHLINE_ENCRYPTION_KEY_FILE. Default: empty. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** File with the key. Takes precedence over the environment. */
  readonly file?: string;
}

/**
 * Reads the key of a store from a file or from the environment: base64, hex, or 32 raw bytes in a file. Returns
 * `undefined` if neither is set.
 *
 * @param sources Environment and key file.
 * @throws InvalidOptionError if the key is invalid, if both variables are set, or if other users may read the file. The
 * error does not contain the content.
 *
 * @example
 * const encryptionKey = readEncryptionKey({ env: process.env });
 */
export function readEncryptionKey(sources: KeySources): Uint8Array | undefined {
  checkOptions("readEncryptionKey", sources, { env: OBJECT, file: TEXT });
  const { env = {}, file } = sources;
  if (file !== undefined) return keyOfFile(file);
  const { [VARIABLE]: key, [FILE_VARIABLE]: named } = env;
  if (key !== undefined && named !== undefined) {
    throw new InvalidOptionError(VARIABLE, `set together with ${FILE_VARIABLE}`, "only one of the two");
  }
  // An empty variable is an error in a script, and must not mean "not encrypted".
  if (key !== undefined) return keyBytes(key, VARIABLE);
  return named === undefined ? undefined : keyOfFile(named);
}

function keyOfFile(path: string): Uint8Array {
  const content = contentOf(path);
  const name = `key in ${path}`;
  return keyBytes(content.length === KEY_BYTES ? content : content.toString("latin1"), name);
}

function contentOf(path: string): Buffer {
  const file = opened(path);
  try {
    // Of the open file, not of a file that may have replaced it.
    const stats = fstatSync(file);
    if (!stats.isFile()) throw refused(path, "not a regular file", "a file with the key");
    // Windows has no permission bits.
    if (process.platform !== "win32" && (stats.mode & OTHERS) !== 0) {
      const mode = (stats.mode & 0o777).toString(8).padStart(3, "0");
      throw refused(path, `readable by other users (mode ${mode})`, `a private file: chmod 600 ${path}`);
    }
    const content = Buffer.alloc(MAX_FILE_LENGTH);
    return content.subarray(0, readSync(file, content));
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    // Non-blocking, in case it is a pipe.
    return openSync(path, O_RDONLY | O_NONBLOCK);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    throw refused(path, code === "ENOENT" ? "not found" : `cannot be opened (${code})`, "a file with the key");
  }
}

function refused(path: string, what: string, wanted: string): InvalidOptionError {
  return new InvalidOptionError(`key file ${path}`, what, wanted);
}
