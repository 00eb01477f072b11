import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { StoreError } from "../../../errors/store-error.ts";
import { KEY_BYTES } from "./encryption-key.ts";

const CIPHER = "aes-256-gcm";
/** The first byte of what is sealed: which key and which form. Another key, or another form, gets another number. */
const VERSION = 1;
const NONCE_BYTES = 12;
const NONCES = 256;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;

/** Seals content, so that only who has the key can read it, and only in the place that it was sealed for. */
export interface Vault {
  seal(place: string, content: Uint8Array): Uint8Array;
  /** @throws StoreError `corrupt` where it was sealed for another place, with another key, or was changed since. */
  open(place: string, sealed: Uint8Array): Uint8Array;
  /** The same for the same text in the same place, so that it can be looked up; it gives no word away. */
  digest(place: string, text: string): string;
}

/** A vault whose keys are all derived from one. */
export function createVault(storeKey: Uint8Array): Vault {
  const contentKey = derive(storeKey, "content");
  const lookupKey = derive(storeKey, "lookup");
  return {
    seal: (place, content) => seal(contentKey, place, content),
    open(place, sealed) {
      const content = unseal(contentKey, place, sealed);
      if (content !== undefined) return content;
      throw new StoreError("corrupt", `What is sealed in ${place} was changed, or belongs elsewhere.`);
    },
    digest: (place, text) => createHmac("sha256", lookupKey).update(`${place}\0${text}`).digest("base64url"),
  };
}

/** A store's own key, made by chance. Content is sealed with it, and it is kept wrapped in the user's: that can change. */
export function newStoreKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

const WRAPPED = "a store's key";

export function wrapKey(userKey: Uint8Array, storeKey: Uint8Array): Uint8Array {
  return seal(derive(userKey, "wrap"), WRAPPED, storeKey);
}

/** `undefined` where it was wrapped in another key. */
export function unwrapKey(userKey: Uint8Array, wrapped: Uint8Array): Uint8Array | undefined {
  return unseal(derive(userKey, "wrap"), WRAPPED, wrapped);
}

/** As an object: bytes would be taken in anew for each value, which takes three times as long as to seal it. */
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

/** Chance is drawn for many at once: one by one it takes as long as all the rest of sealing. None is given out twice. */
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
