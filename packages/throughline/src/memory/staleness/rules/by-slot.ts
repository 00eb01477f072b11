import { hasChangeMarker } from "../../../language/change-markers.ts";
import { compareFacts } from "../../facts/compare-facts.ts";
import { readSlot } from "../../facts/read-slot.ts";
import { isSameSpeaker, type StalenessRule } from "../known-turn.ts";
import type { ParsedSentence } from "../parsed-sentence.ts";
import { stripLead } from "../read-frame.ts";

/** A subject in the first person. */
const SUBJECT = String.raw`(?:i|i'm|i've|we|we're|my|our)\b`;
const OWN = new RegExp(`^(?:(?:actually|and|but|so|well|also|now|yes|no|oh),? )*(?=${SUBJECT})`, "i");
/** The gap before a clause with a subject of its own: "I moved to Porto and I work for Acme". */
const NEXT_CLAUSE = new RegExp(String.raw`(?<!\s)(?:[,;:]?\s+(?:and|but|so)\s+|[,;:–—]\s+)(?=${SUBJECT})`, "gi");

interface SlotClause {
  readonly text: string;
  readonly start: number;
  readonly isUpdate: boolean;
}

/**
 * Another value of a single-valued slot of the same person, such as residence or employer, outdates the earlier one.
 */
export const bySlot: StalenessRule = ({ turn, sentences }, known, mark) => {
  const said = readSlotClauses(sentences).filter((clause) => clause.isUpdate);
  if (said.length === 0) return;
  for (const earlier of known.filter((each) => isSameSpeaker(each.turn, turn))) {
    for (const { text, start } of readSlotClauses(earlier.sentences)) {
      const isOutdated = said.some(
        (now) => compareFacts({ text: now.text, updatesPrevious: true }, { text }) === "conflict",
      );
      if (isOutdated) mark(earlier, { start, end: start + text.length });
    }
  }
};

/** Clauses in which speakers state a slot of their own. */
function readSlotClauses(sentences: readonly ParsedSentence[]): SlotClause[] {
  return sentences
    .filter(({ isOpen }) => !isOpen)
    .flatMap(({ text, start }) => {
      const gaps = [...text.matchAll(NEXT_CLAUSE)];
      return [0, ...gaps.map(({ 0: gap, index }) => index + gap.length)].flatMap((from, at) => {
        const clause = text.slice(from, gaps[at]?.index).replace(/[.!]+$/, "");
        const told = stripLead(clause);
        const lead = OWN.exec(told)?.[0].length;
        if (lead === undefined || readSlot(told.slice(lead)) === undefined) return [];
        const own = told.slice(lead);
        return [{ text: own, start: start + from + clause.length - own.length, isUpdate: hasChangeMarker(text) }];
      });
    });
}
