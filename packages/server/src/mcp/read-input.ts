import { InvalidOptionError } from "throughline";
import { isRecord, oneLine } from "throughline/internal/util";
import { z } from "zod";

const MAX_VALUE_LENGTH = 80;

type Node = z.core.JSONSchema.BaseSchema;

/**
 * Validates the input of a tool.
 *
 * @throws InvalidOptionError that names the invalid field and the expected value
 */
export function readInput<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> {
  const given = withoutNulls(input ?? {});
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refusal(z.toJSONSchema(schema), given, issue);
}

/** Some callers send null for missing fields. */
function withoutNulls(input: unknown): unknown {
  if (!isRecord(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function refusal(schema: Node, given: unknown, issue: z.core.$ZodIssue | undefined): InvalidOptionError {
  const known = Object.keys(schema.properties ?? {});
  if (issue?.code === "unrecognized_keys") {
    return new InvalidOptionError(short(issue.keys[0]), "not a known field", known.join(", "));
  }
  const path = issue?.path ?? [];
  if (path.length === 0) return new InvalidOptionError("input", describe(given), "an object");
  const name = path.map(String).join(".");
  return new InvalidOptionError(short(name), describe(valueAt(given, path)), wantedBy(nodeAt(schema, path)));
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => Object(value)[step], given);
}

function nodeAt(schema: Node, path: readonly PropertyKey[]): Node {
  return path.reduce<Node>((node, step) => {
    const next = typeof step === "number" ? node.items : node.properties?.[String(step)];
    return isRecord(next) ? (next as Node) : {};
  }, schema);
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === "") return "empty";
  if (typeof value === "string" && value.length > MAX_VALUE_LENGTH) return `${value.length} characters long`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isRecord(value) ? "an object" : short(value);
}

function short(value: unknown): string {
  return oneLine(String(value), MAX_VALUE_LENGTH);
}

function wantedBy({ type, enum: values, minimum, maximum, maxLength, maxItems, items }: Node): string {
  if (values !== undefined) return values.join(", ");
  switch (type) {
    case "integer":
      return `a whole number from ${minimum} to ${maximum}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list of at most ${maxItems}, each ${wantedBy(isRecord(items) ? (items as Node) : {})}`;
    default:
      return `a non-empty string of at most ${maxLength} characters`;
  }
}
