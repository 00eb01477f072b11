import { describe, expect, it } from "vitest";
import { findChanges, statesChange, statesNewState } from "../../src/language/change-phrases.ts";
import { findDates } from "../../src/language/dates.ts";
import { isProse, readProse, splitSentences } from "../../src/language/sentences.ts";
import { baseForm, stem } from "../../src/language/stem.ts";
import { readTerms } from "../../src/language/terms.ts";
import { findName, readNames } from "../../src/language/text-names.ts";
import { readWords } from "../../src/language/words.ts";
import { growthOverInputs } from "./growth-over-inputs.ts";

const steepInputs = growthOverInputs({ first: 1_500, max: 192_000, enough: 10 });

const readers: readonly { readonly name: string; readonly read: (text: string) => unknown }[] = [
  { name: "sentences", read: (text) => [splitSentences(text), splitSentences(text, { anyCase: true })] },
  { name: "prose", read: (text) => [isProse(text), readProse(text), readProse(text, { plain: true, headings: true })] },
  { name: "words", read: (text) => [readWords(text), readTerms(text)] },
  { name: "stems", read: (text) => [stem(text.toLowerCase()), baseForm(text.toLowerCase())] },
  { name: "dates", read: (text) => findDates(text, { now: 1_700_000_000_000 }) },
  { name: "names", read: (text) => [findName(text), readNames(text, { tools: true })] },
  { name: "stated changes", read: (text) => [findChanges(text), statesNewState(text)] },
  { name: "markers of change", read: (text) => statesChange(text) },
];

describe("the cost of reading a text grows with its length, not faster", () => {
  it.each(readers)("$name", async ({ name, read }) => {
    expect(await steepInputs(name, read)).toEqual([]);
  });
});
