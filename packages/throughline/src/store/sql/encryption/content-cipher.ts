import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { StoreError } from "../../../errors/store-errors.ts";
import { KEY_BYTES } from "./encryption-key.ts";

const CIPHER = "aes-256-gcm";
/** First byte of an encrypted value: version of key and format. */
const VERSION = 1;
const NONCE_BYTES = 12;
const NONCES = 256;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;

/** Encrypts content so that only the key holder can read it, and only at the place it was encrypted for. */
export interface ContentCipher {
  seal(place: string, content: Uint8Array): Uint8Array;
  /** @throws StoreError `corrupt` if it was encrypted for another place, with another key, or was changed. */
  open(place: string, sealed: Uint8Array): Uint8Array;
  /** Keyed digest for lookups: equal for the same text at the same place, without revealing it. */
  digest(place: string, text: string): string;
}

/** Creates a cipher whose keys are derived from one. */
export function createContentCipher(storeKey: Uint8Array): ContentCipher {
  const contentKey = derive(storeKey, "content");
  const lookupKey = derive(storeKey, "lookup");
  return {
    seal: (place, content) => seal(contentKey, place, content),
    open(place, sealed) {
      const content = unseal(contentKey, place, sealed);
      if (content !== undefined) return content;
      throw new StoreError("corrupt", `Cannot decrypt ${place}: the content was changed or moved.`);
    },
    digest: (place, text) => createHmac("sha256", lookupKey).update(`${place}\0${text}`).digest("base64url"),
  };
}

/**
 * Makes a random store key. Content is encrypted with it, and it is stored wrapped in the user's key, which can change.
 */
export function newStoreKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

const WRAPPED = "a store's key";

export function wrapKey(userKey: Uint8Array, storeKey: Uint8Array): Uint8Array {
  return seal(derive(userKey, "wrap"), WRAPPED, storeKey);
}

/** Returns `undefined` if it was wrapped in another key. */
export function unwrapKey(userKey: Uint8Array, wrapped: Uint8Array): Uint8Array | undefined {
  return unseal(derive(userKey, "wrap"), WRAPPED, wrapped);
}

/** A KeyObject: importing raw bytes for each value would take three times as long as encrypting it. */
function derive(key: Uint8Array, purpose: "content" | "lookup" | "wrap"): KeyObject {
  const info = `throughline ${VERSION} ${purpose}`;
  return createSecretKey(new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), info, KEY_BYTES)));
}

function seal(key: KeyObject, place: string, content: Uint8Array): Uint8Array {
  const nonce = nextNonce();
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  const hidden = cipher.update(content);
  cipher.final();
  return Buffer.concat([Uint8Array.of(VERSION), nonce, hidden, cipher.getAuthTag()]);
}

let chance = Buffer.alloc(0);

/** Generates random bytes in bulk: one call per nonce takes as long as the encryption. Nonces are never reused. */
function nextNonce(): Uint8Array {
  if (chance.length === 0) chance = randomBytes(NONCE_BYTES * NONCES);
  const nonce = chance.subarray(0, NONCE_BYTES);
  chance = chance.subarray(NONCE_BYTES);
  return nonce;
}

function unseal(key: KeyObject, place: string, sealed: Uint8Array): Uint8Array | undefined {
  if (sealed[0] !== VERSION || sealed.length < HEAD_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, HEAD_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const content = decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES));
  try {
    decipher.final();
    return content;
  } catch {
    return undefined;
  }
}
