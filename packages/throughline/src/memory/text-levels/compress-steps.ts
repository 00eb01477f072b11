import { wordSet } from "../../language/words.ts";
import type { LevelsInput, ShorterLevels } from "./bound-levels.ts";
import { shorten, slug, specificWords } from "./shorten-words.ts";

const MAX_STEPS = 12;
/** Maximum characters of a text to search for steps, if none are given. */
const MAX_TEXT_LENGTH = 2_000;
const STEP_WORDS = 3;
const SHORT_STEP = 12;
/** Words that do not distinguish a step from its neighbors. */
const GENERIC_STEP = wordSet("schema typed envelope pattern style template new step request layer");
const NUMBERED = /(?:^|\s)(?:\d{1,2}[.)]|step \d{1,2}:?)\s+(.+?)(?=(?<!\s)\s+(?:\d{1,2}[.)]|step \d{1,2}:?)\s|$)/gis;
const THEN = /(?<!\s)(?:\s*(?:→|->|⇒|;\s*)|(?:\s*,)?\s+(?:(?:and )?then\s+|followed by\s+|(?:and )?finally,?\s+))/i;

/** A procedure as one line: "deploy: test→build→stage→verify→prod". */
export function compressWorkflow(input: LevelsInput): ShorterLevels {
  const { text, title = input.key ?? "" } = input;
  const steps = stepsOf(input);
  const topic = slug(shorten(specificWords(title)[0] ?? specificWords(text)[0] ?? "workflow"), 2);
  const hint = steps.length > 1 ? `${topic}: ${steps.join("→")}` : topic;
  return { summary: hint, compressed: hint, index: title === "" ? topic : slug(title) };
}

/** A pattern of code: its parts, "endpoint: route→zod→result→json", "api_pattern". */
export function compressPattern(input: LevelsInput): ShorterLevels {
  const { text, template, title = input.key ?? "" } = input;
  const words = (title.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !/^(?:new|pattern|the|an?)$/i.test(word));
  const topic = slug(words.at(-1) ?? specificWords(text)[0] ?? "pattern", 1);
  const steps = template === undefined ? stepsOf(input) : Object.entries(template).flatMap(partSteps);
  const parts = Object.entries(template ?? {}).map(([part, value]) => `${part}: ${value}`);
  // One step says little without the place of the code.
  const all = steps.length > 1 || template?.file === undefined ? steps : [template.file, ...steps];
  const hint = all.length > (template === undefined ? 1 : 0) ? `${topic}: ${all.join("→")}` : topic;
  return {
    summary: parts.length > 0 ? parts.join("\n") : hint,
    compressed: hint,
    index: `${slug(words[0] ?? topic, 1)}_pattern`,
  };
}

function stepsOf({ steps, text }: LevelsInput): string[] {
  return (steps ?? findSteps(text))
    .slice(0, MAX_STEPS)
    .map(shortenStep)
    .filter((step) => step !== "");
}

/** Steps in prose: numbered, or with "then" between them. */
function findSteps(whole: string): readonly string[] {
  const text = whole.slice(0, MAX_TEXT_LENGTH).replace(/\s+/g, " ");
  const numbered = [...text.matchAll(NUMBERED)].map(([, step = ""]) => step);
  if (numbered.length > 1) return numbered;
  const parts = text
    .replace(/^[^:]{1,40}:\s*/, "")
    .replace(/^first,?\s+/i, "")
    .split(THEN);
  return parts.length > 1 ? parts : [];
}

function shortenStep(step: string): string {
  const bare = step.trim().replace(/(?<![.,;:!])[.,;:!]+$/, "");
  const words = bare.length <= SHORT_STEP && !/\s/.test(bare) ? [bare] : specificWords(bare).slice(0, STEP_WORDS);
  return words.map(shorten).join(" ");
}

/** Parts of a template that are lists of names, and parts that are no steps. */
const LISTS = wordSet("calls methods decorators fields fixtures extends value assertion");
const PLACES = wordSet("file code");

/** A part made of placeholders is named by its key, any other by its most specific word. Names stay as written. */
function partSteps([part, value]: [string, string]): readonly string[] {
  if (PLACES.has(part)) return [];
  if (LISTS.has(part)) return value.split(" → ");
  const words = value.match(/[\p{L}\p{N}]+/gu) ?? [];
  const special = words.find((word) => !GENERIC_STEP.has(word.toLowerCase()));
  return [/[{}]/.test(value) || special === undefined ? shorten(part) : shorten(special)];
}
