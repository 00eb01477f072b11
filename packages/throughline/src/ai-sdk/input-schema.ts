import { isRecord, numberField, stringField } from "../internal/json.ts";

/** What became of an input: a value, or why it is none. */
export type Checked<I> = { readonly value: I } | { readonly issues: readonly { readonly message: string }[] };

/** A Standard Schema that says itself as JSON Schema: the SDK takes it in both versions, and nobody has to be imported. */
export interface InputSchema<I> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked<I>;
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: I };
  };
}

/** The schema of an object with these fields, all required; texts, unless they are named as numbers. */
export function describeInput<I>(
  fields: Readonly<Record<string, string>>,
  validate: (input: unknown) => Checked<I>,
  { numbers = [] }: { readonly numbers?: readonly string[] } = {},
): InputSchema<I> {
  // A new one each time: the SDK writes into it.
  const schema = () => ({
    type: "object",
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, description]) => [
        name,
        { type: numbers.includes(name) ? "number" : "string", description },
      ]),
    ),
    required: Object.keys(fields),
    additionalProperties: false,
  });
  return {
    "~standard": { version: 1, vendor: "throughline", validate, jsonSchema: { input: schema, output: schema } },
  };
}

export function requiredText<I>(input: unknown, name: string, make: (text: string) => I): Checked<I> {
  const text = isRecord(input) ? stringField(input, name) : undefined;
  return text === undefined ? { issues: [{ message: `${name} has to be a text` }] } : { value: make(text) };
}

export function optionalNumber(input: unknown, name: string): number | undefined {
  return isRecord(input) ? numberField(input, name) : undefined;
}
