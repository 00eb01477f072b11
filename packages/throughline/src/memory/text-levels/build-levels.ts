import { checkOptions, OBJECT, type OptionRules, oneOf, TEXT, TEXTS } from "../../errors/check-options.ts";
import { oneLine, stripInvisible } from "../../internal/text.ts";
import type { MemoryKind, MemoryLevels } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { KINDS } from "../memory-kinds.ts";
import { compressEpisode, compressFact, compressPattern, compressWorkflow } from "./shorten-text.ts";

/** Checks of the input. */
export const LEVELS_RULES: OptionRules<LevelsInput> = {
  kind: /* @__PURE__ */ oneOf(...KINDS),
  text: TEXT,
  key: TEXT,
  value: TEXT,
  title: TEXT,
  steps: TEXTS,
  template: OBJECT,
};

/**
 * Builds the text of a memory at four lengths, by rules: full text, summary, one line, and an index entry of at most 50
 * characters. No level has more tokens than the one before it, and the same input always gives the same levels.
 *
 * @param input Kind and text of the memory, with its key, title, steps or template, if it has them.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * buildLevels({ kind: "fact", text: "The team uses PostgreSQL because of its JSON support." }).index; // "db:pg"
 */
export function buildLevels(input: LevelsInput): MemoryLevels {
  checkOptions("buildLevels", input, LEVELS_RULES);
  return boundLevels(fullText(input), shorterLevels(input));
}

function shorterLevels(input: LevelsInput): ShorterLevels {
  switch (input.kind) {
    case "fact":
      return compressFact(input);
    case "episode":
      return compressEpisode(input);
    case "pattern":
      return compressPattern(input);
    case "workflow":
      return compressWorkflow(input);
  }
}

/** The text, with the steps and template parts that it lacks. */
function fullText({ text, steps = [], template = {} }: LevelsInput): string {
  const missing = steps.filter((step) => !text.includes(step));
  const parts = Object.entries(template).filter(([, value]) => !text.includes(value));
  return [
    text,
    ...(missing.length > 0 ? [`Steps: ${steps.join(" → ")}`] : []),
    ...parts.map(([part, value]) => `${part}: ${value}`),
  ]
    .filter((piece) => piece.trim() !== "")
    .join("\n");
}

/** The three shorter levels of a memory, before their lengths are limited. */
export interface ShorterLevels {
  readonly summary: string;
  readonly compressed: string;
  readonly index: string;
}

/** Maximum characters of an index entry in a store. */
export const MAX_INDEX = 50;
const MAX_LINE_LENGTH = 400;
const MAX_SUMMARY_LENGTH = 2_000;

/** Levels of which none has more tokens than the previous one. A longer candidate is replaced by the previous level. */
export function boundLevels(full: string, { summary, compressed, index }: ShorterLevels): MemoryLevels {
  const text = stripInvisible(full).trim();
  const first = shorterOf(stripInvisible(summary).trim().slice(0, MAX_SUMMARY_LENGTH), text);
  const second = shorterLine(oneLine(compressed, MAX_LINE_LENGTH), first);
  return { full: text, summary: first, compressed: second, index: boundIndex(index, second) };
}

function shorterOf(candidate: string, before: string): string {
  return candidate !== "" && countTokens(candidate) <= countTokens(before) ? candidate : before;
}

/** The same on one line: the first words of the previous level that have no more tokens than it. */
function shorterLine(candidate: string, before: string): string {
  const line = shorterOf(candidate, before);
  if (!line.includes("\n")) return line;
  const words = oneLine(line, MAX_LINE_LENGTH).split(" ");
  while (words.length > 1 && countTokens(words.join(" ")) > countTokens(before)) words.pop();
  return words.join(" ");
}

/** A line of at most 50 characters that has no more tokens than the previous level. */
function boundIndex(index: string, before: string): string {
  const most = countTokens(before);
  const fits = (candidate: string) => candidate !== "" && countTokens(candidate) <= most;
  const words = stripInvisible(index).replace(/\s+/g, " ").trim();
  for (const candidate of [words, words.split(/[_:\s]/)[0] ?? "", before.replace(/\s+/g, " ").trim()]) {
    const cut = wholeSlice(candidate, MAX_INDEX);
    if (fits(cut)) return cut;
  }
  // A part of a word may have more tokens than the whole, so shorter cuts are tried until one fits.
  for (let length = MAX_INDEX; length > 0; length -= 1) {
    const cut = wholeSlice(before.trim(), length);
    if (fits(cut)) return cut;
  }
  return before;
}

/** The first characters of a text, without splitting a surrogate pair. */
function wholeSlice(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
}

/** The fields of a memory that its levels are built from. */
export interface LevelsInput {
  readonly kind: MemoryKind;
  /** Full text. */
  readonly text: string;
  /** Attribute and its value, if the memory states one: `db` and `PostgreSQL`. */
  readonly key?: string;
  readonly value?: string;
  /** Title of an episode, a pattern or a workflow: "Auth Refactor". */
  readonly title?: string;
  /** Steps of a workflow or a pattern, in order. */
  readonly steps?: readonly string[];
  /** Parts of a pattern with placeholders: `{ route: "{method} /api/{resource}" }`. */
  readonly template?: Readonly<Record<string, string>>;
}
