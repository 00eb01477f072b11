import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArguments, writeArguments } from "./openai/openai-content.ts";
import { argumentsText, forAll } from "./raw.arbitrary.ts";

describe("tool arguments", () => {
  it("are written as they were read, also after being stored", () => {
    forAll(argumentsText, (text) => {
      const { input, verbatim } = readArguments(text);
      expect(writeArguments(input, verbatim)).toBe(text);
      expect(writeArguments(JSON.parse(JSON.stringify(input)), verbatim)).toBe(text);
    });
  });

  it("are serialized again if they were edited", () => {
    forAll(fc.tuple(argumentsText, fc.integer()), ([text, edit]) => {
      const edited = { edit };
      expect(JSON.parse(writeArguments(edited, readArguments(text).verbatim))).toEqual(edited);
    });
  });

  it("keep their text if only the order of fields differs", () => {
    const { verbatim } = readArguments('{ "a": 1, "b": 2 }');
    expect(writeArguments({ b: 2, a: 1 }, verbatim)).toBe('{ "a": 1, "b": 2 }');
  });

  it("are an empty object if there are none", () => {
    expect(readArguments("").input).toEqual({});
    expect(writeArguments(undefined, undefined)).toBe("{}");
  });

  it("stay text if they are nested too deeply to be written again", () => {
    const text = "[".repeat(5000) + "]".repeat(5000);
    expect(readArguments(text)).toEqual({ input: text, verbatim: text });
    expect(writeArguments(text, text)).toBe(text);
  });
});
