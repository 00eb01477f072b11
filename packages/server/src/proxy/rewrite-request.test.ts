import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { omitUndefined } from "../../../throughline/src/internal/json.ts";
import { cases } from "../../../throughline/test/cases.ts";
import { replaceFields } from "./rewrite-request.ts";

const NAMES = ["messages", "system", "model", 'a "b', "\\", "é"];
const object = fc.dictionary(fc.constantFrom(...NAMES), fc.jsonValue({ maxDepth: 3 }));
const changes = fc.dictionary(fc.constantFrom(...NAMES), fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }));

describe("replaceFields", () => {
  it("changes only the given fields, in any formatting", () => {
    fc.assert(
      fc.property(object, changes, fc.constantFrom(undefined, 1, "\t"), (before, changed, indent) => {
        const text = ` ${JSON.stringify(before, null, indent)}\n`;
        const after = omitUndefined({ ...(JSON.parse(text) as object), ...changed });
        expect(JSON.parse(replaceFields(text, changed))).toEqual(JSON.parse(JSON.stringify(after)));
        expect(replaceFields(text, {})).toBe(text);
      }),
      { numRuns: cases(100) },
    );
  });

  it("leaves numbers, whitespace and escapes unchanged", () => {
    const text = '{ "seed" : 12345678901234567890,\n"text":"\\u00e9 \\/ \\\\","messages":[1, [2, "]}"]], "x":1.0 }';
    expect(replaceFields(text, { messages: [3], more: true })).toBe(
      '{ "seed" : 12345678901234567890,\n"text":"\\u00e9 \\/ \\\\","messages":[3], "x":1.0,"more":true }',
    );
    expect(replaceFields(text, { x: undefined, seed: undefined })).toBe(
      '{ "text":"\\u00e9 \\/ \\\\","messages":[1, [2, "]}"]] }',
    );
  });
});
