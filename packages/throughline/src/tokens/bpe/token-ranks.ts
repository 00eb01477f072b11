import { TokenRanksError } from "../../errors/token-ranks-error.ts";
import { canReadPackagedFile, loadPackagedFile, readPackagedFile, unzipped } from "../../internal/packaged-file.ts";

export type Encoding = "o200k_base" | "cl100k_base";

/** The tokens of an encoding in the order of their ranks. */
export interface TokenRanks {
  /** Bytes of each token; 0 if a rank has no token. */
  readonly lengths: Uint8Array;
  /** The bytes of all tokens, one after the other. */
  readonly bytes: Uint8Array;
}

let file: Uint8Array | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the token ranks where files cannot be read synchronously, as in browsers: tokens can be counted afterwards.
 * `createThroughline` waits for it. In Node it does nothing, because they are read at the first count.
 *
 * @param bytes The content of the package's `dist/token-ranks.bin`, for runtimes that can neither read nor fetch it.
 * @throws TokenRanksError if they cannot be loaded.
 * @example
 * await loadTokenRanks();
 * countTokens("Hello, world"); // 3
 */
export async function loadTokenRanks(bytes?: Uint8Array): Promise<void> {
  if (bytes !== undefined) file = checked(await unzipped(bytes));
  if (file !== undefined || canReadPackagedFile((import.meta as { readonly url?: string }).url)) return;
  loading ??= loadFile().finally(() => {
    // If it failed, the next call tries again.
    loading = undefined;
  });
  await loading;
}

/** The ranks of an encoding. @throws TokenRanksError if they are not loaded. */
export function tokenRanks(encoding: Encoding): TokenRanks {
  file ??= readFile();
  if (file === undefined) throw new TokenRanksError("Tokens were counted before the token ranks were loaded");
  const [first, end] = ranksAt(file, 0);
  return encoding === "o200k_base" ? first : ranksAt(file, end)[0];
}

const FILE = "./token-ranks.bin";

/** `undefined` if the runtime has no file system. */
function readFile(): Uint8Array | undefined {
  // A script has no address.
  const { url } = import.meta as { readonly url?: string };
  if (url === undefined) return undefined;
  try {
    // Not written out: a bundler for browsers would replace it by the address of the page's copy.
    const bytes = readPackagedFile(new URL(FILE, url));
    return bytes && checked(bytes);
  } catch (cause) {
    throw unreadable(cause);
  }
}

async function loadFile(): Promise<void> {
  try {
    // Written out like this, bundlers for browsers find the file and include it.
    const url = new URL("./token-ranks.bin", (import.meta as { readonly url: string }).url);
    file = checked(await loadPackagedFile(url));
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): TokenRanksError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return cause instanceof TokenRanksError
    ? cause
    : new TokenRanksError(`The token ranks could not be read (${why})`, { cause });
}

/**
 * For each encoding, o200k_base first: the number of ranks (4 bytes, little-endian), the length of each token (1 byte),
 * and the bytes of all tokens.
 */
function ranksAt(bytes: Uint8Array, start: number): readonly [ranks: TokenRanks, end: number] {
  const count = new DataView(bytes.buffer, bytes.byteOffset + start, 4).getUint32(0, true);
  const lengths = bytes.subarray(start + 4, start + 4 + count);
  const size = lengths.reduce((sum, length) => sum + length, 0);
  const end = start + 4 + count + size;
  return [{ lengths, bytes: bytes.subarray(start + 4 + count, end) }, end];
}

/** Bytes of the file that ships with the package. */
const FILE_SIZE = 2_341_762;

function checked(bytes: Uint8Array): Uint8Array {
  if (bytes.length === FILE_SIZE) return bytes;
  throw new TokenRanksError(`The token ranks have ${bytes.length} bytes, not ${FILE_SIZE}`);
}
