import { InvalidOptionError } from "../../../errors/invalid-option-error.ts";

/** 32 bytes, as they are or as base64 or hex: `openssl rand -base64 32` makes one. */
export type EncryptionKey = Uint8Array | string;

export const KEY_BYTES = 32;

const HEX = /^[0-9a-f]{64}$/i;
/** Of 32 bytes, in either alphabet. */
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * The bytes of a key.
 *
 * @throws InvalidOptionError where it is none; what was given stands nowhere in the error.
 */
export function keyBytes(key: EncryptionKey, name = "encryptionKey"): Uint8Array {
  if (typeof key !== "string") {
    // A copy: who gave it may wipe it.
    if (key.length === KEY_BYTES) return Uint8Array.from(key);
    throw new InvalidOptionError(name, `${key.length} bytes long`, WANTED);
  }
  const text = key.trim();
  if (HEX.test(text)) return Uint8Array.from(Buffer.from(text, "hex"));
  if (BASE64.test(text)) return Uint8Array.from(Buffer.from(text, "base64"));
  throw new InvalidOptionError(name, `no key, but ${text.length} characters of something else`, WANTED);
}

const WANTED = "32 bytes, as they are or as base64 or hex; `openssl rand -base64 32` makes a key";
