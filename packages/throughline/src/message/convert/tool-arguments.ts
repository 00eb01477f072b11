import { sameJson, tryParseJson } from "../../internal/json.ts";

/** Deeper than any real argument, and shallow enough to walk without care for the stack. */
const MAX_DEPTH = 500;

/** The arguments of a call, which OpenAI sends as a JSON text. */
export interface ReadArguments {
  readonly input: unknown;
  /** The text itself, where writing `input` again would not give the same text. */
  readonly verbatim?: string;
}

/**
 * Reads the arguments. No text means no arguments; a text that is not JSON (a model can write one) or that is nested
 * too deeply to be written again is itself the input.
 */
export function readArguments(text: string): ReadArguments {
  if (text.trim() === "") return { input: {}, verbatim: text };
  const parsed = tryParseJson(text);
  if (parsed === undefined || isDeeper(parsed.value, MAX_DEPTH)) return { input: text, verbatim: text };
  const input = parsed.value;
  return JSON.stringify(input) === text ? { input } : { input, verbatim: text };
}

/** Writes the arguments; the text they came in is used while it still says the same. */
export function writeArguments(input: unknown, verbatim: unknown): string {
  const text = JSON.stringify(input) ?? "{}";
  if (typeof verbatim !== "string") return text;
  const { input: said } = readArguments(verbatim);
  return sameJson(said, input) || JSON.stringify(said) === text ? verbatim : text;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
