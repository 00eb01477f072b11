import { omitUndefined } from "../../internal/json.ts";
import { memoizeByText } from "./memoize-by-text.ts";
import { normalizeKey } from "./slot-keys.ts";
import { SLOT_RULES } from "./slot-rules.ts";

/** Attribute and value that a fact states. */
export interface Slot {
  readonly key: string;
  readonly value?: string;
  /** The value that the fact declares as ended. */
  readonly former?: string;
  /** True if the value is a tool or a choice. Others for the same purpose may exist. */
  readonly isChoice?: boolean;
}

/** Longer texts contain more than one statement. */
const MAX_FACT_LENGTH = 400;
/** A fact with the end of the reply that it refers to has no value of its own. */
const REFERENCE = " [re: ";
const SUBJECT = /^(?:the )?(?:user|project|team)(?:'s)? |^(?:i|we|they|he|she|my|our|their) /i;
const ADVERB = /^(is |am |are )?(?:now|currently|still|also|really|mostly|mainly|only|always|just|actually) /i;
const NO_MORE = /^(?:(?:is |am )?no longer|used to) |^(?:does not|doesn't|do not|don't) (?=.* any ?more$)/i;
const ANY_MORE = /(?<!\s)\s+any ?more$/i;

/**
 * Reads key and value from the wording of a fact; `undefined` if no rule matches.
 *
 * @example
 * readSlot("User is based in Copenhagen"); // { key: "residence", value: "Copenhagen" }
 * readSlot("User no longer lives in Paris"); // { key: "residence", former: "Paris" }
 */
export const readSlot: (fact: string) => Slot | undefined = memoizeByText(read);

function read(fact: string): Slot | undefined {
  if (fact.length > MAX_FACT_LENGTH || fact.includes(REFERENCE)) return undefined;
  const plain = fact
    .trim()
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .replace(/(?<![.!])[.!]+$/, "");
  const told = dropAdverbs(plain.replace(/^I'm /i, "I am ").replace(SUBJECT, ""));
  const noMore = NO_MORE.exec(told)?.[0];
  const slot = readPredicate(told.slice(noMore?.length ?? 0).replace(ANY_MORE, ""));
  if (noMore === undefined) return slot;
  return slot === undefined ? undefined : omitUndefined({ key: slot.key, former: slot.value });
}

function dropAdverbs(predicate: string): string {
  let told = predicate;
  while (ADVERB.test(told)) told = told.replace(ADVERB, "$1");
  return told;
}

function readPredicate(predicate: string): Slot | undefined {
  for (const [key, pattern] of SLOT_RULES) {
    const groups = pattern.exec(predicate)?.groups;
    if (groups === undefined) continue;
    const { value = "", kind, purpose } = groups;
    if (key === "uses") return { key: normalizeKey(purpose ?? key), value, isChoice: true };
    return omitUndefined({ key: normalizeKey(`${key}${kind ?? ""}`), value });
  }
  return undefined;
}
