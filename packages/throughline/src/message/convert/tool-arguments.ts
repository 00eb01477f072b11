import { sameJson, tryParseJson } from "../../internal/json.ts";

/** Maximum nesting: deeper than real arguments, and safe for recursion. */
const MAX_DEPTH = 500;

/** Arguments of a call, which OpenAI sends as JSON text. */
export interface ReadArguments {
  readonly input: unknown;
  /** Original text, if writing `input` would produce different text. */
  readonly verbatim?: string;
}

/**
 * Parses the arguments of a call. Empty text means no arguments. Text that is not JSON, or that is nested too deeply,
 * becomes the input itself.
 */
export function readArguments(text: string): ReadArguments {
  if (text.trim() === "") return { input: {}, verbatim: text };
  const parsed = tryParseJson(text);
  if (parsed === undefined || isDeeper(parsed.value, MAX_DEPTH)) return { input: text, verbatim: text };
  const input = parsed.value;
  return JSON.stringify(input) === text ? { input } : { input, verbatim: text };
}

/** Writes the arguments as JSON. Uses the original text while its value is unchanged. */
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
