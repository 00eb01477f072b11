import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDocumentSplitter } from "./read-document.ts";

/** Reads a document that is cut into chunks of a size. */
function split(text: string, paths: readonly string[], size = text.length) {
  const values: [path: string, value: unknown][] = [];
  const problems: string[] = [];
  const splitter = createDocumentSplitter(
    paths,
    (value, { path }) => values.push([path.join("."), value]),
    (line, problem) => problems.push(`${line}: ${problem}`),
  );
  for (let at = 0; at < text.length; at += size) splitter.push(text.slice(at, at + size));
  splitter.end();
  return { values, problems };
}

const documents = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
const spaces = fc.constantFrom(undefined, 1, "\t");

describe("a JSON document in chunks", () => {
  it("gives the same entries as JSON.parse, wherever it is cut", () => {
    fc.assert(
      fc.property(documents, spaces, fc.integer({ min: 1, max: 20 }), (document, space, size) => {
        const text = JSON.stringify(document, null, space);
        const parsed: object = JSON.parse(text);
        expect(split(text, ["$.*"], size)).toEqual({ values: Object.entries(parsed), problems: [] });
      }),
    );
  });

  it("is reported as broken if it ends early, once", () => {
    fc.assert(
      fc.property(documents, fc.nat(), fc.integer({ min: 1, max: 20 }), (document, cut, size) => {
        const text = JSON.stringify(document);
        const { problems } = split(text.slice(0, cut % text.length), ["$.*", "$.*.*"], size);
        expect(problems).toHaveLength(1);
      }),
    );
  });

  it("gives inner values before the values around them", () => {
    expect(split('{"a":{"b":[1,2]}}', ["$.*", "$.*.*", "$.a.b.*"]).values).toEqual([
      ["a.b.0", 1],
      ["a.b.1", 2],
      ["a.b", [1, 2]],
      ["a", { b: [1, 2] }],
    ]);
  });

  it.each([
    ["two keys without a comma", '{"a":1 "b":2}'],
    ["a comma before the end", '{"a":1,}'],
    ["a value without a key", '{"a":1,{}}'],
    ["an end of another kind", '{"a":[1}'],
    ["a word that is no literal", '{"a":tru}'],
    ["a line feed in a string", '{"a":"b\nc"}'],
    ["a wrong escape in a key", '{"\\x":1}'],
  ])("is not JSON with %s", (_, text) => {
    expect(split(text, ["$.*.*"]).problems).toHaveLength(1);
  });

  it("says that text follows the end", () => {
    expect(split('{"a":1} {}', ["$.*"])).toEqual({
      values: [["a", 1]],
      problems: ["2: there is more text after the end of the document"],
    });
  });
});
