import { InvalidOptionError } from "../../../errors/invalid-option-error.ts";

/** 32 bytes, raw or as base64 or hex. Make one with `openssl rand -base64 32`. */
export type EncryptionKey = Uint8Array | string;

export const KEY_BYTES = 32;

const HEX = /^[0-9a-f]{64}$/i;
/** 32 bytes in either base64 alphabet. */
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

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

const WANTED = "32 bytes, as they are or as base64 or hex; `openssl rand -base64 32` makes a key";
