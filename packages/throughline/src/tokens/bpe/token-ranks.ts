import { TokenRanksError } from "../../errors/model-errors.ts";
import { canReadPackagedFile, loadPackagedFile, readPackagedFile, unzipped } from "../../internal/packaged-file.ts";
import { messageOf } from "../../internal/text.ts";

export type Encoding = "o200k_base" | "cl100k_base";

/** Tokens of an encoding, ordered by rank. */
export interface TokenRanks {
  /** Length of each token in bytes; 0 if a rank has no token. */
  readonly lengths: Uint8Array;
  /** Concatenated bytes of all tokens. */
  readonly bytes: Uint8Array;
}

let file: Uint8Array | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the token ranks in runtimes that cannot read files synchronously, such as browsers. Tokens can be counted
 * afterwards. `createThroughline` awaits it. In Node it does nothing: the ranks are read on the first count.
 *
 * @param bytes Content of the package's `dist/token-ranks.bin`, for runtimes that can neither read nor fetch it.
 * @throws TokenRanksError if the ranks cannot be loaded.
 *
 * @example
 * await loadTokenRanks();
 * countTokens("Hello, world"); // 3
 */
export async function loadTokenRanks(bytes?: Uint8Array): Promise<void> {
  if (bytes !== undefined) file = checked(await unzipped(bytes));
  if (file !== undefined || canReadPackagedFile((import.meta as { readonly url?: string }).url)) return;
  loading ??= loadFile().finally(() => {
    // Allows the next call to retry after a failure.
    loading = undefined;
  });
  await loading;
}

/** Ranks of an encoding. @throws TokenRanksError if they are not loaded. */
export function tokenRanks(encoding: Encoding): TokenRanks {
  file ??= readFile();
  if (file === undefined) throw new TokenRanksError("Could not count tokens: the token ranks are not loaded");
  const [first, end] = ranksAt(file, 0);
  return encoding === "o200k_base" ? first : ranksAt(file, end)[0];
}

const FILE = "./token-ranks.bin";

/** Returns `undefined` if the runtime has no file system. */
function readFile(): Uint8Array | undefined {
  // A classic script has no URL.
  const { url } = import.meta as { readonly url?: string };
  if (url === undefined) return undefined;
  try {
    // Not a literal: bundlers for browsers would replace it with the URL of their copy.
    const bytes = readPackagedFile(new URL(FILE, url));
    return bytes && checked(bytes);
  } catch (cause) {
    throw unreadable(cause);
  }
}

async function loadFile(): Promise<void> {
  try {
    // A literal, so that bundlers for browsers find the file and include it.
    const url = new URL("./token-ranks.bin", (import.meta as { readonly url: string }).url);
    file = checked(await loadPackagedFile(url));
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): TokenRanksError {
  return cause instanceof TokenRanksError
    ? cause
    : new TokenRanksError(`Could not read the token ranks: ${messageOf(cause)}`, { cause });
}

/**
 * File format, per encoding (o200k_base first): number of ranks (4 bytes, little-endian), length of each token (1
 * byte), bytes of all tokens.
 */
function ranksAt(bytes: Uint8Array, start: number): readonly [ranks: TokenRanks, end: number] {
  const count = new DataView(bytes.buffer, bytes.byteOffset + start, 4).getUint32(0, true);
  const lengths = bytes.subarray(start + 4, start + 4 + count);
  let size = 0;
  for (let rank = 0; rank < count; rank += 1) size += lengths[rank] as number;
  const end = start + 4 + count + size;
  return [{ lengths, bytes: bytes.subarray(start + 4 + count, end) }, end];
}

/** Size of the file in bytes. */
const FILE_SIZE = 2_341_762;

function checked(bytes: Uint8Array): Uint8Array {
  if (bytes.length === FILE_SIZE) return bytes;
  throw new TokenRanksError(`Invalid token ranks: ${bytes.length} bytes, expected ${FILE_SIZE}`);
}
