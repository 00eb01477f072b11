import { splitSentences } from "../../../packages/throughline/src/language/sentences.ts";

/** A statement that should outlive its message. */
export interface DurableLabel {
  readonly quote: string;
  readonly statement: string;
  /** At least 0.7 for clear ones. The others are not required, but count as right. */
  readonly confidence?: number;
}

/** A session: messages, and the labels of all of them. */
export interface LabelledSession {
  readonly messages: readonly { readonly id: string; readonly text: string; readonly at?: string }[];
  readonly labels: readonly DurableLabel[];
}

/** An extracted memory: its text and the words that it quotes. */
export type Extracted = readonly string[];

export interface DurableScore {
  messages: number;
  clear: number;
  found: number;
  facts: number;
  right: number;
}

const MIN_CONFIDENCE = 0.7;
const MIN_F1 = 0.5;
const MODAL =
  /\b(?:should|must|need(?:s)? to|ha(?:s|ve) to|always|never|don'?t|do not|only|prefer|want|instead|let'?s|make sure|ensure)\b/i;

export function newDurableScore(): DurableScore {
  return { messages: 0, clear: 0, found: 0, facts: 0, right: 0 };
}

/** Counts what was extracted from a session against its labels. */
export function scoreSession(
  { messages, labels }: LabelledSession,
  extracted: readonly Extracted[],
  score: DurableScore,
): void {
  const found = new Set(labels.filter((label) => extracted.some((memory) => isSame(memory, label))));
  const clear = labels.filter(({ confidence = 1 }) => confidence >= MIN_CONFIDENCE);
  score.messages += messages.length;
  score.clear += clear.length;
  score.found += clear.filter((label) => found.has(label)).length;
  score.facts += extracted.length;
  score.right += extracted.filter((memory) => labels.some((label) => isSame(memory, label))).length;
}

/** The baseline: every sentence with a modal verb. */
export function modalSentences({ messages }: LabelledSession): Extracted[] {
  return messages.flatMap(({ text }) =>
    splitSentences(text, { anyCase: true }).flatMap((sentence) => (MODAL.test(sentence.text) ? [[sentence.text]] : [])),
  );
}

function isSame(memory: Extracted, { quote, statement }: DurableLabel): boolean {
  return memory.some((text) => f1(text, quote) >= MIN_F1 || f1(text, statement) >= MIN_F1);
}

function f1(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const common = [...left].filter((word) => right.has(word)).length;
  return common === 0 ? 0 : (2 * common) / (left.size + right.size);
}

const STOP_WORDS = new Set("the a an to of is are and in on for user wants we it that this be".split(" "));

/** Words of two characters and more; pairs of characters of a text in a script without spaces. */
function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .replace(/[`'"*]/g, "")
      .match(/[\w./-]{2,}/g) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  if (telling.length > 0) return new Set(telling);
  const letters = [...text.replace(/\P{L}/gu, "")];
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}
