import fc from "fast-check";
import { cases } from "../../../test/cases.ts";

/** A JSON object as a provider sends it. */
export type RawRecord = Record<string, unknown>;

export const json = fc.jsonValue({ maxDepth: 2 });
/** JSON that survives stringify and parse, so without -0. */
export const writableJson: fc.Arbitrary<unknown> = json.map((value) => JSON.parse(JSON.stringify(value)));
export const text = fc.oneof(fc.string(), fc.constantFrom("", "  ", "hello", '{"a":1}', "data:,x", "\ud800"));
export const id = fc.oneof(fc.constantFrom("a", "b", "call_1", "msg_1", "", "__proto__"), fc.string({ maxLength: 8 }));
export const base64 = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("base64"));
export const url = fc.constantFrom("https://example.com/a.png", "https://example.com/b.pdf?x=1#y", "gs://bucket/c");

/** Unknown fields, some of them named like Object.prototype members or like our own fields. */
const unknownFields: fc.Arbitrary<RawRecord> = fc
  .array(
    fc.tuple(
      fc.constantFrom("x_new", "form", "fields", "item", "piece", "string", "verbatim", "constructor", "__proto__"),
      json,
    ),
    { maxLength: 2 },
  )
  .map((entries) => Object.fromEntries(entries));

/** Runs a check against many values. */
export function forAll<T>(values: fc.Arbitrary<T>, check: (value: T) => void): void {
  fc.assert(
    fc.property(values, (value) => {
      check(value);
    }),
    { numRuns: cases(200) },
  );
}

/** Records that sometimes have unknown fields. */
export function open(known: fc.Arbitrary<RawRecord>): fc.Arbitrary<RawRecord> {
  return fc.oneof(
    { weight: 2, arbitrary: known },
    fc.tuple(unknownFields, known).map(([unknown, record]) => ({ ...unknown, ...record })),
  );
}

/** Records with all fields of `always` and some of `maybe`. */
export function record(
  always: Record<string, fc.Arbitrary<unknown>>,
  maybe: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<RawRecord> {
  return open(fc.record({ ...always, ...maybe }, { requiredKeys: Object.keys(always) }));
}

/** Texts that a model may write as arguments. */
export const argumentsText = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  json.map((value) => JSON.stringify(value, null, 2)),
  fc.constantFrom("", "  ", "{", '{"b":1,"a":2}', '{ "a" : 1 }', '{"a":1,"a":2}', "1e999", "-0", '{"__proto__":1}'),
  fc.string(),
);

/** A block of an unknown kind, or without its required fields. */
export const unknownBlock: fc.Arbitrary<RawRecord> = fc.oneof(
  record({ type: fc.constantFrom("brand_new", "constructor", "__proto__", "toString", "") }, { data: json }),
  record({ type: fc.constantFrom("text", "image", "file", "reasoning", "document", "input_image") }),
);
