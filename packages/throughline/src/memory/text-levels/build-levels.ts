import { checkOptions, OBJECT, type OptionRules, oneOf, TEXT, TEXTS } from "../../errors/check-options.ts";
import type { MemoryLevels } from "../../ports/memory.ts";
import { KINDS } from "../memory-values.ts";
import { boundLevels, type LevelsInput, type ShorterLevels } from "./bound-levels.ts";
import { compressEpisode } from "./compress-episode.ts";
import { compressFact } from "./compress-fact.ts";
import { compressPattern, compressWorkflow } from "./compress-steps.ts";

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
