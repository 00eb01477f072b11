import { wordSet } from "../../language/word-lists.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { takes } from "./lexicon/complements.ts";
import { FAMILY, PASSING_NOUNS, PETS, POSSESSIONS } from "./lexicon/nouns.ts";
import {
  EVALUATED,
  FOR_THE_MOMENT,
  IN_FOR_LONG,
  KNOWN_TO_ALL,
  LASTING_BEGINNINGS,
  LASTING_PASTS,
  LASTING_STATES,
  OF_THE_MOMENT,
  TASTE_STATES,
} from "./lexicon/states.ts";
import { ABSTENTIONS, BARE_HABITS, DONE, FORMER, HABITS, LONG_DEEDS, SKILLS, TASTES } from "./lexicon/verbs.ts";
import type { Statement } from "./read-statement.ts";

/** Objects that only the conversation explains. */
const POINTS_BACK =
  /^(?:(?:to|with|at|in|on|of|for|about|by) )?(?:(?:it|that|this|those|these|them|him|her|they|he|she|one|ones|some|so|there|here|what|how|when|where|why|who|both|all|either|neither|none|everything|anything|something|nothing|the same|the (?:idea|sound|way|thought|one|fact|part|look|kind))\b(?! (?:kinds?|types?|sorts?|of (?:music|food|sports?|animals?)))|(?:doing|watching|seeing|playing|eating|reading|trying|knowing|to (?:do|see|watch|have|get|try|use|play|eat|read|grow|make|know)) (?:it|that|this|them|so|some|all)\b)/i;
const NEEDS_CONTEXT =
  /^[,;:.]|\b(?:there|that|those|one|ones|so far|to go|to play)$|\b(?:it|its|them|him|his|her|hers|he|she|they|their|theirs|myself|that one|to go (?:at|every|once|twice|with))\b/i;
const TO_THE_LISTENER = /\b(?:you|your|yours|u|ur|yourself)\b/i;
/** A second sentence has run into it. */
const RUNS_ON = /\s(?:i|i'm|i've|im|we|they|it's|it|that sounds|that's|just no|there's) /i;
const CONTENT = /(?!\bto$)[\p{L}\p{N}]{2,}|\d/iu;
/** With these it is sometimes so, and sometimes not. */
const UNSURE = wordSet("usually sometimes occasionally rarely seldom hardly barely normally typically generally");
const LONG =
  /\b(?:for|since|over|almost|about) .*\b(?:years?|yrs|months|decades?|\d{4}|was|childhood|college|school|life)\b/i;
/** "I have heard …" and "I have my …" are not about what one has. */
const NOT_OWNED =
  /^(?:my|our|the|heard|seen|tried|found|been|had|gone|done|made|taken|given|thought|known|met|to|(?!red)\p{L}{3,}ed)\b/iu;
/** More words than this tell a story. */
const LONGEST = 7;

/**
 * Whether a statement is one to remember, and as what: a lasting trait, habit, possession or milestone, or a taste.
 * What passes with the day, points at something said before, or is about the listener is not.
 */
export function judgeStatement(statement: Statement, object: string): FactCategory | undefined {
  if (TO_THE_LISTENER.test(object) || POINTS_BACK.test(object) || NEEDS_CONTEXT.test(object)) return undefined;
  if (RUNS_ON.test(` ${object} `) || object.split(/\s+/).length > LONGEST) return undefined;
  return statement.adverbs.some((adverb) => UNSURE.has(adverb)) ? undefined : judgeForm(statement, object);
}

function judgeForm(statement: Statement, object: string): FactCategory | undefined {
  const { form, verb, negation } = statement;
  const says = CONTENT.test(object);
  const isPlain = negation === "" && says;
  const lasts = (condition: boolean) => (condition ? "identity" : undefined);
  switch (form) {
    case "is":
      return judgeState(statement, object);
    case "has-been":
      return isPlain && LONG.test(object) ? judgeState(statement, object) : undefined;
    case "was":
      return lasts(isPlain && LASTING_PASTS.test(object) && !isPassing(object));
    case "has":
      return lasts(isOwned(object));
    case "does":
      return judgeDeed(statement, object);
    case "doing":
      return lasts(negation !== "not" && says && takes(verb, object));
    case "did":
      return lasts(isPlain && takes(verb, object));
    case "has-done":
      return lasts(isPlain && DONE.has(verb) && LONG.test(object));
    case "has-been-doing":
      return lasts(isPlain && LONG_DEEDS.has(verb) && LONG.test(object));
    case "used-to":
      return lasts(isPlain && FORMER.has(verb));
    case "can":
      return says ? judgeSkill(statement) : undefined;
  }
}

function judgeState({ negation }: Statement, object: string): FactCategory | undefined {
  if (EVALUATED.test(object)) return undefined;
  if (TASTE_STATES.test(object)) return "preference";
  const isPlain = negation === "";
  if (LASTING_BEGINNINGS.test(object)) return isPlain ? "identity" : undefined;
  if (/^(?:in|at|on) /i.test(object)) {
    return isPlain && IN_FOR_LONG.test(object) && !FOR_THE_MOMENT.test(object) ? "identity" : undefined;
  }
  const [first = "", second = ""] = object.toLowerCase().split(/\s+/);
  if (first === "a" || first === "an") return isPlain && second !== "" && !isPassing(object) ? "identity" : undefined;
  return LASTING_STATES.has(first.replace(/[^a-z-]/g, "")) && negation !== "never" ? "identity" : undefined;
}

function judgeDeed({ verb, negation }: Statement, object: string): FactCategory | undefined {
  if (verb === "have") return isOwned(object) ? "identity" : undefined;
  const says = CONTENT.test(object);
  if (verb === "want") return negation === "" && takes(verb, object) ? "preference" : undefined;
  if (TASTES.has(verb)) return says && isKnownTaste(object) ? "preference" : undefined;
  const isSaid = negation === "not" || negation === "never" ? ABSTENTIONS.has(verb) && says : HABITS.has(verb);
  return isSaid && takes(verb, object) && (says || BARE_HABITS.has(verb)) ? "identity" : undefined;
}

function isKnownTaste(object: string): boolean {
  return !OF_THE_MOMENT.test(object) && (!/^the /i.test(object) || KNOWN_TO_ALL.test(object));
}

function judgeSkill({ verb, negation }: Statement): FactCategory | undefined {
  if (!SKILLS.has(verb)) return undefined;
  if (verb === "stand") return negation === "not" ? "preference" : undefined;
  return (verb === "eat" || verb === "drink") && negation === "" ? undefined : "identity";
}

/** "a mess", "a total mess": how somebody is today. */
function isPassing(object: string): boolean {
  const [, second = "", third = ""] = object.toLowerCase().split(/\s+/);
  return PASSING_NOUNS.has(second) || PASSING_NOUNS.has(third);
}

function isOwned(object: string): boolean {
  const words = object.toLowerCase().match(/[\p{L}'-]+/gu) ?? [];
  const end = words.findIndex((word) => /^(?:with|that|who|which|for|on|in|at|to|of|about|from)$/.test(word));
  const nouns = words.slice(0, end === -1 ? LONGEST : end).map((word) => word.replace(/'s$/, ""));
  return !NOT_OWNED.test(object) && nouns.some((noun) => FAMILY.has(noun) || PETS.has(noun) || POSSESSIONS.has(noun));
}
