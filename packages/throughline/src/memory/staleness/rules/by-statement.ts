import { statesChange } from "../../../language/change-phrases.ts";
import { compareClaims } from "../../reconcile/compare-claims.ts";
import { isSameSpeaker, type StalenessRule } from "../known-turn.ts";
import { stripLead } from "../parsed-sentence.ts";

/** A stated change outdates an earlier statement of the same speaker that it supersedes, in any session. */
export const byStatement: StalenessRule = ({ turn, sentences }, known, mark) => {
  const sentenceNow = sentences
    .filter(({ text, isOpen }) => !isOpen && statesChange(text))
    .map(({ text }) => ({ text: stripLead(text), updatesPrevious: true }));
  if (sentenceNow.length === 0) return;
  for (const earlier of known.filter((each) => isSameSpeaker(each.turn, turn))) {
    for (const sentence of earlier.sentences.filter(({ isOpen }) => !isOpen)) {
      const older = { text: stripLead(sentence.text) };
      if (sentenceNow.some((newer) => compareClaims(older, newer).relation === "supersedes")) mark(earlier, sentence);
    }
  }
};
