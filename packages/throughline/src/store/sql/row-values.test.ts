import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { fromStoredText, pack, readJson, toStoredText, unpack, writeJson } from "./row-values.ts";

const name = fc.oneof(fc.constantFrom("$bytes", "$$bytes", "$$$bytes", "$", "bytes", "__proto__", "data"), fc.string());
// JSON has no -0.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const leaf = fc.oneof(fc.string({ unit: "binary" }), number, fc.boolean(), fc.constant(null), fc.uint8Array());
const { data } = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("data"), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie("data")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

describe("stored JSON", () => {
  it("restores plain data and bytes with any field names", () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(readJson(writeJson(value))).toStrictEqual(value);
      }),
      { numRuns: cases(200) },
    );
  });

  it("is plain JSON if there are no bytes", () => {
    expect(writeJson({ text: "Zürich", list: [1, null] })).toBe('{"text":"Zürich","list":[1,null]}');
  });

  it("restores a view of a larger buffer without the rest of it", () => {
    const bytes = Uint8Array.of(1, 2, 3, 4).subarray(1, 3);
    expect(readJson(writeJson({ bytes }))).toStrictEqual({ bytes: Uint8Array.of(2, 3) });
    expect(readJson(writeJson(Buffer.from([7])))).toStrictEqual(Uint8Array.of(7));
  });
});

describe("packing", () => {
  const row = ([value, value_packed]: ReturnType<typeof pack>) => ({ value, value_packed });

  it("compresses only values above 64 KB", () => {
    const small = "x".repeat(64 * 1024 - 2);
    expect(pack(small)).toEqual([JSON.stringify(small), null]);
    for (const large of [`${small}x`, "東".repeat(22_000)]) {
      const [text, packed] = pack(large);
      expect(text).toBeNull();
      expect(packed?.length).toBeLessThan(1000);
      expect(unpack(row([text, packed]), "value")).toBe(large);
    }
  });

  it("distinguishes undefined from null", () => {
    expect(unpack(row(pack(undefined)), "value")).toBeUndefined();
    expect(unpack(row(pack(null)), "value")).toBeNull();
  });

  it("reports a damaged value", () => {
    const damaged = { problem: "corrupt", summary: "Cannot read the stored value of column value." };
    expect(() => unpack({ value: "{", value_packed: null }, "value")).toThrow(expect.objectContaining(damaged));
    const packed = pack("x".repeat(100_000))[1]?.subarray(0, 50) ?? null;
    expect(() => unpack({ value: null, value_packed: packed }, "value")).toThrow(expect.objectContaining(damaged));
  });
});

const piece = fc.constantFrom("\\", "u", "0041", "d800", "\0", "\ud800", "\udc00", "😀", "x");
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
);

describe("stored text", () => {
  it("comes back, and a database can hold it", () => {
    fc.assert(
      fc.property(text, (value) => {
        const stored = toStoredText(value);
        expect(fromStoredText(stored)).toBe(value);
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toContain("\0");
      }),
      { numRuns: cases(500) },
    );
  });

  it("keeps texts apart that differ", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(toStoredText(a) === toStoredText(b)).toBe(a === b);
      }),
      { numRuns: cases(500) },
    );
  });

  it.each(["", "session-1", "C:\\users\\ann", "Zürich 😀", "\\U0041"])("is stored unchanged: %s", (plain) => {
    expect(toStoredText(plain)).toBe(plain);
  });
});
