import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLegacyTime } from "./legacy-table.ts";

const time = Date.UTC(2024, 1, 29, 12, 30, 45);

describe("readLegacyTime", () => {
  it.each([
    time / 1_000,
    time,
    BigInt(time) * 1_000n,
    BigInt(time) * 1_000_000n,
    String(time / 1_000),
    "2024-02-29T12:30:45Z",
    "2024-02-29T12:30:45.000Z",
    "2024-02-29T14:30:45+02:00",
    "2024-02-29 12:30:45",
  ])("reads %s", (value) => {
    expect(readLegacyTime(value)).toBe(time);
  });

  it.each([null, undefined, "", "soon", 0, -1, Number.NaN, new Uint8Array(2)])("reads no time from %s", (value) => {
    expect(readLegacyTime(value)).toBeUndefined();
  });

  it("distinguishes seconds from milliseconds between 1974 and 2100", () => {
    const times = fc.integer({ min: Date.UTC(1974, 0), max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(times, (milliseconds) => {
        const seconds = Math.floor(milliseconds / 1_000);
        expect(readLegacyTime(milliseconds)).toBe(milliseconds);
        expect(readLegacyTime(seconds)).toBe(seconds * 1_000);
      }),
    );
  });
});
