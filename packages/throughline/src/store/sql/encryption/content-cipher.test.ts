import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createContentCipher, newStoreKey, unwrapKey, wrapKey } from "./content-cipher.ts";

const cipher = createContentCipher(newStoreKey());
const place = fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed());

describe("a cipher", () => {
  it("decrypts content at the place that it was encrypted for", () => {
    fc.assert(
      fc.property(place, fc.uint8Array(), (where, content) => {
        expect(Uint8Array.from(cipher.open(where, cipher.seal(where, content)))).toEqual(content);
      }),
    );
  });

  it("opens nothing in another place, nor with another key", () => {
    const other = createContentCipher(newStoreKey());
    fc.assert(
      fc.property(place, place, fc.uint8Array(), (where, elsewhere, content) => {
        fc.pre(where !== elsewhere);
        const sealed = cipher.seal(where, content);
        const corrupt = expect.objectContaining({ code: "store", problem: "corrupt" });
        expect(() => cipher.open(elsewhere, sealed)).toThrow(corrupt);
        expect(() => other.open(where, sealed)).toThrow(corrupt);
      }),
    );
  });

  it("opens nothing of which a bit was changed or a piece is missing", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(), fc.nat({ max: 7 }), (content, at, bit) => {
        const sealed = cipher.seal("here", content);
        const changed = Uint8Array.from(sealed);
        changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ (1 << bit);
        expect(() => cipher.open("here", changed)).toThrow("was changed");
        expect(() => cipher.open("here", sealed.subarray(0, at % sealed.length))).toThrow("was changed");
      }),
    );
  });

  it("encrypts the same content differently each time, with the version in the first byte", () => {
    const sealed = Array.from({ length: 1000 }, () => Buffer.from(cipher.seal("here", Buffer.from("the same"))));
    expect(new Set(sealed.map((one) => one.toString("hex"))).size).toBe(1000);
    expect(new Set(sealed.map((one) => one.subarray(1, 13).toString("hex"))).size).toBe(1000);
    expect(new Set(sealed.map((one) => one[0]))).toEqual(new Set([1]));
  });

  it("returns the same digest of a text at one place, and another one elsewhere and with another key", () => {
    fc.assert(
      fc.property(place, place, fc.string(), (where, elsewhere, text) => {
        fc.pre(where !== elsewhere);
        const digest = cipher.digest(where, text);
        expect(cipher.digest(where, text)).toBe(digest);
        expect(cipher.digest(elsewhere, text)).not.toBe(digest);
        expect(createContentCipher(newStoreKey()).digest(where, text)).not.toBe(digest);
      }),
    );
  });

  it("does not confuse texts whose places end differently", () => {
    expect(cipher.digest('["slot","a"]', "b")).not.toBe(cipher.digest('["slot","a"]b', ""));
  });
});

describe("a store's key", () => {
  it("is wrapped in the user's, and no other opens it", () => {
    const [storeKey, userKey] = [newStoreKey(), newStoreKey()];
    const wrapped = wrapKey(userKey, storeKey);
    expect(unwrapKey(userKey, wrapped)).toEqual(storeKey);
    expect(unwrapKey(storeKey, wrapped)).toBeUndefined();
    expect(unwrapKey(userKey, wrapped.subarray(1))).toBeUndefined();
    expect(Buffer.from(wrapped).includes(Buffer.from(storeKey))).toBe(false);
  });
});
