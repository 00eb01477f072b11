import { stripInvisible } from "../../../internal/one-line.ts";
import { baseForm } from "../words/base-form.ts";

/** A word or a mark of a sentence. */
export interface Word {
  /** In lower case, contractions written out. */
  readonly text: string;
  readonly base: string;
  /** A comma stands before it. */
  readonly isAfterComma: boolean;
}

/** Characters that are read of a text with its code, and of its prose: a claim is shorter, and a long memory is compared often. */
const MAX_TEXT = 8_000;
const MAX_PROSE = 2_000;
const CODE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
const JOINED_NOT = /\b(do|does|did|is|was|are|were|has|have|had|could|would|should|must|need)n'?t\b/g;
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/[’‘´]/g, "'"],
  [/[“”"`*_]/g, " "],
  [/\bcan'?t\b|\bcannot\b|\bca n't\b|\bca not\b/g, "can not"],
  [/\bwon't\b|\bwo n't\b|\bwont\b/g, "will not"],
  [/\bain'?t\b/g, "is not"],
  [JOINED_NOT, "$1 not"],
  [/\bi'?m\b/g, "i am"],
  [/\bi'?ve\b/g, "i have"],
  [/\b(it|that|there|he|she|who|what|where|here|everyone|nobody|everything)'s\b/g, "$1 is"],
  [/'re\b/g, " are"],
  [/'ve\b/g, " have"],
  [/'ll\b/g, " will"],
  [/'d\b/g, " would"],
  [/'s?(?![a-z])/g, " "],
  [/\bno[ -]one\b/g, "nobody"],
  [/\bmake[ -]up\b/g, "makeup"],
  [/\bt shirt\b/g, "t-shirt"],
];
const TOKEN = /[$£€]?\d+(?:[.,:/-]\d+)*(?:%|[a-z]+)?|[a-z]+(?:[-+#./][a-z0-9]+)*[+#]*|[,;:.!?()\n]/g;

/** The words of a text and the marks between them, in lower case; code is no prose and left out. */
export function readWords(text: string): readonly Word[] {
  let plain = stripInvisible(text.slice(0, MAX_TEXT)).replace(CODE, "\n").slice(0, MAX_PROSE).toLowerCase();
  for (const [form, full] of SHORT_FORMS) plain = plain.replace(form, full);
  const tokens = plain.match(TOKEN) ?? [];
  return tokens.map((word, at) => ({ text: word, base: baseForm(word), isAfterComma: tokens[at - 1] === "," }));
}
