import { type JsonRecord, tryParseJson } from "../read-json.ts";

/** The arguments of a call, which OpenAI sends as a JSON text. */
export interface ReadArguments {
  readonly input: unknown;
  /** The text itself, where writing `input` again would not give the same text. */
  readonly verbatim?: { readonly arguments: string };
}

/** Reads the arguments; a text that is not JSON (a model can write one) is itself the input. */
export function readArguments(text: string): ReadArguments {
  const parsed = tryParseJson(text);
  if (parsed === undefined) return { input: text, verbatim: { arguments: text } };
  return JSON.stringify(parsed.value) === text
    ? { input: parsed.value }
    : { input: parsed.value, verbatim: { arguments: text } };
}

/** Writes the arguments; the text they came in is used while it still says the same. */
export function writeArguments(input: unknown, fields: JsonRecord): string {
  const { arguments: verbatim } = fields;
  if (typeof verbatim === "string") {
    const { input: said } = readArguments(verbatim);
    if (JSON.stringify(said) === JSON.stringify(input)) return verbatim;
  }
  return JSON.stringify(input) ?? "{}";
}
