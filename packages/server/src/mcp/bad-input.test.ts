import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../throughline/test/cases.ts";
import { openMcp } from "./mcp.fixture.ts";

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Values that a schema allows, nearly allows, or rejects. */
function near(schema: Schema): fc.Arbitrary<unknown> {
  const strange = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("", null, -1, 0.5, 1e21, "\ud800", "\u0000"));
  if (schema.enum !== undefined) return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...schema.enum) }, strange);
  switch (schema.type) {
    case "object":
      return nearObject(schema, strange);
    case "array":
      return fc.oneof({ weight: 4, arbitrary: fc.array(near(schema.items ?? {}), { maxLength: 5 }) }, strange);
    case "integer":
      return fc.oneof(fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 9 }), fc.integer(), strange);
    case "boolean":
      return fc.oneof({ weight: 4, arbitrary: fc.boolean() }, strange);
    default:
      return fc.oneof({ weight: 6, arbitrary: words() }, fc.constant("x".repeat((schema.maxLength ?? 0) + 1)), strange);
  }
}

function words(): fc.Arbitrary<string> {
  const known = ["We deploy on Fridays.", "mem_none", "part:p1", "s/compaction-1", "2026-05-01", "2026-13-45", "con_x"];
  return fc.oneof(fc.constantFrom(...known), fc.string({ unit: "grapheme", maxLength: 60 }), fc.lorem());
}

function nearObject({ properties = {} }: Schema, strange: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, near(schema)]));
  const record = fc.record(fields, { requiredKeys: [] });
  const more = fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, fc.dictionary(fc.string(), strange, { maxKeys: 2 }));
  return fc.tuple(record, more).map(([one, other]) => ({ ...other, ...one }));
}

const TOOLS = [
  "assemble_context",
  "recall",
  "expand",
  "remember",
  "forget",
  "contradictions",
  "resolve_contradiction",
  "consolidate",
  "projects",
  "undo_import",
];

describe("invalid or nearly valid input", () => {
  it.each(TOOLS)("gets a result or a clear error: %s", async (name) => {
    const { client, call, errors } = await openMcp({ projectId: "shop" });
    const { tools } = await client.listTools();
    const schema = tools.find((tool) => tool.name === name)?.inputSchema as Schema;
    await fc.assert(
      fc.asyncProperty(near(schema), async (input) => {
        const { isError, text } = await call(name, input);
        expect(text.length).toBeGreaterThan(0);
        if (!isError) return;
        expect(text.length).toBeLessThanOrEqual(600);
        expect(text).not.toMatch(/validation|zod|undefined|\[object|at .*\.ts|Something went wrong/i);
        expect(text).toMatch(/^[^\n]+\. [A-Z][^\n]*\.$/);
      }),
      { numRuns: cases(37) },
    );
    // All errors were caused by the input, none was internal.
    expect(errors).toEqual([]);
  });

  it.each([
    ["recall", {}, "Invalid query: missing. Expected a non-empty string of at most 20000 characters."],
    ["recall", { query: 7 }, "Invalid query: 7. Expected a non-empty string of at most 20000 characters."],
    ["recall", { query: "x", limit: 0 }, "Invalid limit: 0. Expected a whole number from 1 to 50."],
    [
      "recall",
      { query: "x", kinds: ["fact", "tale"] },
      "Invalid kinds.1: tale. Expected fact, episode, pattern, workflow.",
    ],
    ["recall", { query: "x", all: "yes" }, "Invalid all: yes. Expected true or false."],
    [
      "recall",
      { query: "x", as_of: "May" },
      'Invalid as_of: May. Expected a date such as "2026-05-01", or a time such as "2026-05-01T14:30:00Z".',
    ],
    ["forget", { id: "m", force: true }, "Invalid force: unknown field. Expected one of id."],
    [
      "remember",
      { text: "x", steps: [""] },
      "Invalid steps.0: empty. Expected a non-empty string of at most 2000 characters.",
    ],
    ["consolidate", { dry_run: {} }, "Invalid dry_run: an object. Expected true or false."],
  ])("is named with the expected value: %s %j", async (name, input, says) => {
    const { call } = await openMcp();
    expect(await call(name, input)).toMatchObject({ isError: true, text: says });
  });

  it("may have null for missing fields", async () => {
    const { call } = await openMcp();
    expect((await call("recall", { query: "When?", limit: null, as_of: null })).isError).toBe(false);
  });

  it("never reveals internal errors", async () => {
    const { call, throughline, errors } = await openMcp();
    await throughline.close();
    const { isError, text } = await call("recall", { query: "When do we deploy?" });
    expect(isError).toBe(true);
    expect(text).not.toMatch(/\.ts|sql/i);
    expect(errors.length).toBeLessThanOrEqual(1);
  });
});
