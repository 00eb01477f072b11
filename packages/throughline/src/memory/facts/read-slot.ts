import { omitUndefined } from "../../internal/json.ts";
import { withoutAnyMore } from "../../language/change-markers.ts";
import { memoizeByText } from "./memoize-by-text.ts";
import { normalizeKey } from "./slot-keys.ts";
import { SLOT_RULES } from "./slot-rules.ts";

/** What a fact is about, and what it says of it. */
export interface Slot {
  readonly key: string;
  readonly value?: string;
  /** The value that the fact says does not hold any more. */
  readonly former?: string;
  /** It names what somebody uses or chose. There may be others for the same purpose. */
  readonly isChoice?: boolean;
}

/** What is longer says more than one thing. */
const MAX_FACT_LENGTH = 400;
const SUBJECT = /^(?:the )?(?:user|project|team)(?:'s)? |^(?:i|we|they|he|she|my|our|their) /i;
const ADVERB = /^(is |am |are )?(?:now|currently|still|also|really|mostly|mainly|only|always|just|actually) /i;
const NO_MORE = /^(?:(?:is |am )?no longer|used to) |^(?:does not|doesn't|do not|don't) (?=.* any ?more$)/i;

/**
 * What a fact says of what, as far as its wording tells; `undefined` where it does not.
 *
 * @example
 * readSlot("User is based in Copenhagen"); // { key: "residence", value: "Copenhagen" }
 * readSlot("User no longer lives in Paris"); // { key: "residence", former: "Paris" }
 */
export const readSlot: (fact: string) => Slot | undefined = memoizeByText(read);

function read(fact: string): Slot | undefined {
  if (fact.length > MAX_FACT_LENGTH) return undefined;
  const plain = fact
    .trim()
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .replace(/(?<![.!])[.!]+$/, "");
  const told = dropAdverbs(plain.replace(/^I'm /i, "I am ").replace(SUBJECT, ""));
  const noMore = NO_MORE.exec(told)?.[0];
  if (noMore === undefined) return readPredicate(withoutAnyMore(told));
  const slot = readPredicate(withoutAnyMore(told.slice(noMore.length)));
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
