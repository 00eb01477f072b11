import fc from "fast-check";
import type { Fields } from "./api-server.ts";

type Schemas = Readonly<Record<string, Fields>>;

/** Bodies that a schema allows, bodies that it barely refuses, and unrelated bodies. */
export function bodiesOf(schema: Fields, schemas: Schemas): fc.Arbitrary<unknown> {
  const fitting = valuesOf(schema, schemas, 0);
  return fc.oneof(
    { weight: 4, arbitrary: fitting },
    { weight: 3, arbitrary: fitting.chain(damaged) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
}

/** Realistic text: empty, long, in other scripts, with special characters. */
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "\ud800",
    "'; DROP TABLE memories; --",
    "../../etc/passwd",
    "part:x",
    "a".repeat(5_000),
  ),
);
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom("0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-02-30T00:00:00Z"),
);

function valuesOf(schema: Fields, schemas: Schemas, depth: number): fc.Arbitrary<unknown> {
  const { $ref, enum: values, anyOf, type, format } = schema;
  if (typeof $ref === "string") return valuesOf(schemas[$ref.split("/").at(-1) ?? ""] ?? {}, schemas, depth);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one) => valuesOf(one as Fields, schemas, depth)));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => valuesOf({ ...schema, type: one }, schemas, depth)));
  if (type === "string") return format === "date-time" ? time : text;
  if (type === "integer" || type === "number") return numbersOf(schema);
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "array") return fc.array(valuesOf((schema.items ?? {}) as Fields, schemas, depth + 1), { maxLength: 3 });
  if (type === "object" && depth < 4) return objectsOf(schema, schemas, depth);
  return fc.jsonValue({ maxDepth: 1 });
}

function numbersOf({ type }: Fields): fc.Arbitrary<number> {
  const edges = fc.constantFrom(-1, 0, 1, 2 ** 31, Number.MAX_SAFE_INTEGER);
  return type === "integer"
    ? fc.oneof(fc.integer({ min: 0, max: 10_000 }), edges)
    : fc.oneof(fc.double({ noNaN: true }), edges);
}

function objectsOf(schema: Fields, schemas: Schemas, depth: number): fc.Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Fields>;
  const required = (schema.required ?? []) as string[];
  const values = Object.entries(properties).map(([name, one]) => [name, valuesOf(one, schemas, depth + 1)] as const);
  const known = fc.record(Object.fromEntries(values), { requiredKeys: required });
  if (schema.additionalProperties === undefined || schema.additionalProperties === false) return known;
  return fc.tuple(known, fc.dictionary(text, text, { maxKeys: 3 })).map(([own, others]) => ({ ...others, ...own }));
}

/** Invalid variants: a missing field, a wrong type, an extra field. */
function damaged(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fc.jsonValue({ maxDepth: 1 });
  const names = Object.keys(value);
  if (names.length === 0) return fc.constant({ unknown: 1 });
  return fc
    .tuple(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 }))
    .map(([name, other]) => ({ ...value, [name]: other }));
}
