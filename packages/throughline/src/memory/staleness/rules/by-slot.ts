import { hasChangeMarker } from "../../../language/change-markers.ts";
import { splitClauses } from "../../../language/clauses.ts";
import { isStated, MAX_SENTENCE_LENGTH, stripLead } from "../../extract/is-stated.ts";
import { compareFacts } from "../../facts/compare-facts.ts";
import { readSlot } from "../../facts/read-slot.ts";
import { isSameSpeaker, type StalenessRule } from "../known-turn.ts";

const OWN = /^(?:i|i'm|we|we're|my|our)\b/i;

interface SlotClause {
  readonly text: string;
  readonly start: number;
  readonly isUpdate: boolean;
}

/**
 * Another value of a single-valued slot of the same person, such as residence or employer, outdates the earlier one.
 */
export const bySlot: StalenessRule = ({ turn }, known, mark) => {
  const said = readSlotClauses(turn.text).filter((clause) => clause.isUpdate);
  if (said.length === 0) return;
  for (const earlier of known.filter((each) => isSameSpeaker(each.turn, turn))) {
    for (const clause of readSlotClauses(earlier.turn.text)) {
      const { text, start } = clause;
      const isOutdated = said.some(
        (now) => compareFacts({ text: now.text, updatesPrevious: true }, { text }) === "conflict",
      );
      if (isOutdated) mark(earlier, { start, end: start + text.length });
    }
  }
};

/** Clauses in which speakers state a slot of their own. */
function readSlotClauses(text: string): SlotClause[] {
  return splitClauses(text, { maxSentenceLength: MAX_SENTENCE_LENGTH })
    .filter(isStated)
    .flatMap((clause) => {
      const told = stripLead(clause.text);
      if (!OWN.test(told) || readSlot(told) === undefined) return [];
      const start = clause.start + clause.text.length - told.length;
      return [{ text: told, start, isUpdate: hasChangeMarker(clause.text) }];
    });
}
