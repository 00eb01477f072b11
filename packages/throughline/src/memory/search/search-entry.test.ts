import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { hashText } from "../../language/terms.ts";
import { anySearchables } from "./search.arbitrary.ts";
import { markEntry, packEntry, unpackEntry } from "./search-entry.ts";

const stemmed = (word: string): number => hashText(word);

describe("packEntry", () => {
  it("keeps all fields except the text", () => {
    fc.assert(
      fc.property(anySearchables, (searchables) => {
        for (const searchable of searchables) {
          const { type, kind, sessionId, position, role, speaker, at } = searchable;
          const { validFrom, validTo, archivedAt, projectId } = searchable;
          expect(unpackEntry(packEntry(searchable))).toMatchObject({
            ...{ type, kind, sessionId, position, role, speaker, at },
            ...{ validFrom, validTo, archivedAt, projectId },
          });
        }
      }),
    );
  });

  it("contains stems with counts, separate from extra search words", () => {
    const { own, also } = unpackEntry(
      packEntry({ id: "m", type: "memory", text: "The boat and the boats", also: ["ship"] }),
    );
    expect([...own.hashes]).toEqual([stemmed("boat")]);
    expect([...own.counts]).toEqual([2]);
    expect([...also.hashes]).toEqual([stemmed("ship")]);
  });

  it("finds a turn by its speaker and by the day on which it was said", () => {
    const at = Date.UTC(2023, 4, 8);
    const { own } = unpackEntry(packEntry({ id: "t", type: "turn", text: "hi", speaker: "Ann", at }));
    for (const word of ["ann", "mai", "2023", "8", "mondai"]) expect([...own.hashes]).toContain(stemmed(word));
  });

  it("accepts texts of any length", () => {
    const long = Array.from({ length: 70_000 }, (_, at) => `w${at}`).join(" ");
    expect(unpackEntry(packEntry({ id: "m", type: "memory", text: long })).own.hashes.length).toBe(65_535);
    expect(unpackEntry(packEntry({ id: "m", type: "memory", text: "" })).own.length).toBe(0);
  });

  it("refuses bytes of another version and bytes that are cut off", () => {
    const entry = packEntry({ id: "m", type: "memory", text: "a boat on the river" });
    expect(() => unpackEntry(Uint8Array.of(99, ...entry.subarray(1)))).toThrow(InvalidOptionError);
    expect(() => unpackEntry(entry.subarray(0, entry.length - 1))).toThrow(InvalidOptionError);
  });
});

describe("markEntry", () => {
  it("equals packing with the changed end", () => {
    fc.assert(
      fc.property(
        anySearchables,
        fc.option(fc.nat(), { nil: undefined }),
        fc.boolean(),
        (searchables, end, isMarked) => {
          for (const { validTo, ...searchable } of searchables) {
            const packed = packEntry({ ...searchable, ...(validTo !== undefined && { validTo }) });
            const ended = { ...(end !== undefined && { validTo: end }), isMarked };
            expect(markEntry(packed, ended)).toEqual(packEntry({ ...searchable, ...ended }));
          }
        },
      ),
    );
  });
});
