import { describe, expect, it } from "vitest";
import { numberParameters } from "./postgres-driver.ts";

describe("numberParameters", () => {
  it("numbers each question mark", () => {
    expect(numberParameters("UPDATE a SET b = ?, c = ? WHERE d IN (?, ?)")).toBe(
      "UPDATE a SET b = $1, c = $2 WHERE d IN ($3, $4)",
    );
  });

  it.each([
    ["a text", "SELECT '?' , ?", "SELECT '?' , $1"],
    ["a text with a quote in it", "SELECT 'it''s ?', ?", "SELECT 'it''s ?', $1"],
    ["a quoted name", 'SELECT "why?" FROM a WHERE b = ?', 'SELECT "why?" FROM a WHERE b = $1'],
    ["a comment of a line", "SELECT ? -- really?\n, ?", "SELECT $1 -- really?\n, $2"],
    ["a comment", "SELECT ? /* why?\n? */, ?", "SELECT $1 /* why?\n? */, $2"],
  ])("leaves %s alone", (_, sql, text) => {
    expect(numberParameters(sql)).toBe(text);
  });

  it("returns the same text again, also after very many other statements", () => {
    const before = numberParameters("SELECT ?");
    for (let rows = 1; rows < 1200; rows += 1) numberParameters(`VALUES ${"(?),".repeat(rows % 7)} ${rows}`);
    expect(numberParameters("SELECT ?")).toBe(before);
  });
});
