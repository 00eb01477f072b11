import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidImportError } from "../../errors/memory-errors.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";
import { factOf } from "../facts/memory.arbitrary.ts";
import { anyExport } from "./export.arbitrary.ts";
import { type ExportContent, readExport, writeExport } from "./memory-export.ts";

const EMPTY: ExportContent = { exportedAt: 1, memories: [], turns: [], contradictions: [] };
const turn = { id: "t1", sessionId: "s", position: 0, role: "user", text: "Hello", createdAt: 1, owner: "u1" };

function errorOf(data: unknown): InvalidImportError {
  try {
    readExport(data);
  } catch (error) {
    if (error instanceof InvalidImportError) return error;
    throw error;
  }
  throw new Error("readExport did not throw.");
}

function withMemory(more: object): unknown {
  return { ...writeExport(EMPTY), memories: [factOf("a"), { ...factOf("b"), ...more }] };
}

describe("readExport", () => {
  it("restores the written export exactly", () => {
    fc.assert(
      fc.property(anyExport, (exported) => {
        const text = JSON.stringify(exported);
        expect(readExport(JSON.parse(text))).toEqual(exported);
        expect(readExport(text)).toEqual(exported);
        expect(JSON.stringify(readExport(text)).length).toBe(text.length);
      }),
    );
  });

  it("names the invalid item and field", () => {
    expect(errorOf(withMemory({ confidence: Number.NaN })).place).toBe("memories[1].confidence");
    expect(errorOf(withMemory({ confidence: 2 })).summary).toBe(
      "Invalid import: memories[1].confidence is 2, expected a number from 0 to 1.",
    );
    expect(errorOf(withMemory({ levels: { full: "x" } })).place).toBe("memories[1].levels.summary");
    expect(errorOf(withMemory({ kind: "rumour" })).place).toBe("memories[1].kind");
    expect(errorOf(withMemory({ validTo: "tomorrow" })).place).toBe("memories[1].validTo");
    expect(errorOf(withMemory({ createdAt: Number.POSITIVE_INFINITY })).place).toBe("memories[1].createdAt");
    expect(errorOf(withMemory({ aliases: [1] })).place).toBe("memories[1].aliases[0]");
    expect(errorOf(withMemory({ mood: "good" })).place).toBe("memories[1].mood");
    expect(errorOf(withMemory({ id: "" })).place).toBe("memories[1].id");
  });

  it("refuses other data, broken JSON and other versions", () => {
    for (const data of [undefined, null, 1, "", "{", "[]", [], {}, { format: "other", version: 1 }]) {
      expect(errorOf(data).place).toBe("");
    }
    expect(errorOf({ ...writeExport(EMPTY), version: 2 }).place).toBe("version");
    expect(errorOf(JSON.stringify(writeExport(EMPTY)).slice(0, -1)).problem).toBe("is not valid JSON");
  });

  it("refuses duplicate ids and names both places", () => {
    const twice = { ...writeExport(EMPTY), memories: [factOf("a"), factOf("b"), factOf("a")] };
    expect(errorOf(twice).summary).toBe("Invalid import: memories[2].id is the same as that of memories[0].");
    expect(errorOf({ ...writeExport(EMPTY), turns: [turn, { ...turn, id: "t2" }] }).place).toBe("turns[1].position");
  });

  it("refuses __proto__ as a key", () => {
    const text = JSON.stringify(writeExport(EMPTY)).replace("{", '{"__proto__":{"polluted":true},');
    expect(errorOf(text).place).toBe("__proto__");
    const nested = JSON.stringify(withMemory({ usage: 0 })).replace('"usage":0', '"usage":{"__proto__":{"x":1}}');
    expect(errorOf(nested).place).toBe("memories[1].usage.__proto__");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("ignores inherited fields", () => {
    const inherited = Object.create({ format: "throughline-memory" }) as object;
    expect(errorOf(Object.assign(inherited, { version: 1 })).place).not.toBe("version");
  });

  it("refuses fields above the maximum length", () => {
    expect(errorOf(withMemory({ subject: "x".repeat(3_000) })).problem).toContain("longer");
    expect(errorOf(withMemory({ value: "x".repeat(5_000_000) })).problem).toContain("longer");
  });

  it("refuses contradictions of missing memories, and cycles in supersedes", () => {
    const of = { id: "c", memoryA: "a", memoryB: "z", detectedAt: 1, reason: "", status: "open" };
    expect(errorOf({ ...writeExport(EMPTY), memories: [factOf("a")], contradictions: [of] }).place).toBe(
      "contradictions[0].memoryB",
    );
    const circle = [factOf("a", { supersedes: "b" }), factOf("b", { supersedes: "a" })];
    expect(errorOf({ ...writeExport(EMPTY), memories: circle }).problem).toBe("forms a cycle");
  });

  it("refuses spans outside of the turn's text", () => {
    const staleSpans = [{ start: 0, end: 9, since: 1 }];
    expect(errorOf({ ...writeExport(EMPTY), turns: [{ ...turn, staleSpans }] }).place).toBe("turns[0].staleSpans[0]");
  });

  it("returns an export or throws a typed error for any input", () => {
    fc.assert(
      fc.property(anyExport, fc.anything(), fc.nat(), (exported, anything, at) => {
        const fields = Object.keys(exported);
        const field = fields[at % fields.length] ?? "memories";
        try {
          readExport({ ...exported, [field]: anything });
        } catch (error) {
          expect(ThroughlineError.isInstance(error)).toBe(true);
        }
      }),
    );
  });
});
