import { splitSentences } from "../../language/sentences.ts";
import { stem } from "../../language/stem.ts";
import { isStopWord } from "../../language/stop-words.ts";
import { readWords, wordSet } from "../../language/words.ts";
import type { Utterance } from "../../ports/memory.ts";
import type { TextSpan } from "../extract/extract-turn.ts";
import { readValues, type Value } from "../reconcile/read-values.ts";

/** Subject and value of a sentence, by its grammatical form. */
export interface SentenceFrame {
  /** A state (`is`), or a choice (`choice`). */
  readonly kind: "is" | "choice";
  /** The subject, or the purpose of the choice. */
  readonly of: string;
  readonly value: string;
  /** True for a preference, and for something temporary. */
  readonly isLoose: boolean;
}

/** A sentence of a turn with its topic and values. */
export interface ParsedSentence extends TextSpan {
  readonly text: string;
  readonly values: readonly Value[];
  /** Stems of the topic words, without values. */
  readonly topic: ReadonlySet<string>;
  readonly frame?: SentenceFrame;
  /** True for a question, a guess or a wish. */
  readonly isOpen: boolean;
}

/** Longer texts, and texts with code, are documents or output of programs. They are not parsed. */
const MAX_TEXT_LENGTH = 1_500;
const CODE = /```|~~~/;
const MAX_SENTENCE_LENGTH = 500;
/** Longer enumerations are lists. */
const MAX_SENTENCES = 30;
const OPEN =
  /\?["')\]]*$|^(?:what if|if|suppose|imagine|maybe|perhaps|hypothetically|theoretically|let's say)\b|\b(?:might|could maybe|would be nice|not sure (?:if|whether)|i wonder)\b/i;
/** A polite request counts as a statement. */
const ASKED_FOR =
  /^(?:(?:hi|hey|oh|sorry|actually|wait),? )*(?:can|could|would|will) (?:you|we) (?:please )?(?:change|move|push|cancel|switch|make|update|reschedule|set|shift)\b/i;
/** Words that express a change and not its topic. */
const CHANGING = wordSet(`
  update updated change changed changes correction correct actual actually instead final finalized official note noted plan plans
  move moved set new old previous original current status confirm confirmed go going went proceed decide decided cancel cancelled
  canceled switch value wait make sure way oh got bad news great`);

/** The sentences of a text; none if it is a document. */
export function readSentences(text: string): ParsedSentence[] {
  if (text.length > MAX_TEXT_LENGTH || CODE.test(text)) return [];
  return splitSentences(text)
    .filter((sentence) => sentence.text.length <= MAX_SENTENCE_LENGTH)
    .slice(0, MAX_SENTENCES)
    .map(({ text: said, start, end }) => {
      const values = readValues(said).map((value) => ({
        ...value,
        start: value.start + start,
        end: value.end + start,
      }));
      const frame = readFrame(stripLead(said));
      const sentence = {
        text: said,
        start,
        end,
        values,
        topic: readTopic(text, { start, end }, values),
        isOpen: OPEN.test(said) && !ASKED_FOR.test(said),
      };
      return frame === undefined ? sentence : { ...sentence, frame };
    });
}

function readTopic(text: string, { start, end }: TextSpan, values: readonly Value[]): ReadonlySet<string> {
  let plain = "";
  let from = start;
  for (const value of values) {
    plain += `${text.slice(from, value.start)} `;
    from = value.end;
  }
  return topicOf(plain + text.slice(from, end));
}

/** Stems of the topic words of a phrase. */
export function topicOf(phrase: string): ReadonlySet<string> {
  const words = readWords(phrase).filter(
    (word) => word.length > 1 && !isStopWord(word, { fillers: true }) && !CHANGING.has(word),
  );
  return new Set(words.map((word) => stem(word)));
}

/** Number of common topic words, and their share of the smaller topic. */
export function sharedTopic(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
): { readonly count: number; readonly share: number } {
  const count = [...a].filter((word) => b.has(word)).length;
  const least = Math.min(a.size, b.size);
  return { count, share: least === 0 ? 0 : count / least };
}

/** Minimum share of a statement's terms in a sentence that states it, and minimum number of terms. */
const MIN_SHARE = 0.8;
const MIN_TERMS = 3;

/** True if a sentence contains most terms of a statement. */
export function says({ topic, values }: ParsedSentence, statement: string): boolean {
  const given = readValues(statement);
  const wanted = new Set([
    ...readTopic(statement, { start: 0, end: statement.length }, given),
    ...given.map(({ value }) => value),
  ]);
  const mentioned = new Set([...topic, ...values.map(({ value }) => value)]);
  const found = [...wanted].filter((term) => mentioned.has(term)).length;
  return wanted.size >= MIN_TERMS && found / wanted.size >= MIN_SHARE;
}

/** Labels, greetings and marks before the sentence proper. */
const LEAD =
  /^(?:(?:[^\p{L}\p{N}["'$#(]+|\[[^\]\n]{1,60}\]:?|(?:note|update|correction|confirmed|noted|so|quick update|for the record|fyi|draft)\s*[:,-]|(?:got it|ok(?:ay)?|sure|noted|actually|oh|well|wait|no wait|by the way|great|just to confirm|just confirming(?: again)?|to be (?:absolutely )?clear|as of (?:today|now|this week)|from now on|(?:per|according to) [^,:]{1,40})\s*[,.!:–-]+)\s*)+/iu;

const NO_SUBJECT =
  /^(?:it|that|this|there|here|he|she|they|you|we|i|what|who|which|one|all|everything|nothing|something|these|those)\b/i;
const IS =
  /^(?<of>(?:(?:the|our|my|your|his|her|their|its|this) )?[\p{L}\p{N}#'’-]+(?: [\p{L}\p{N}#'’-]+){0,4}?) (?:is|are|will be|is going to be|remains|becomes)(?: (?:now|currently|still|officially|going to be))* (?<value>[^?]{2,200}?)[.!]*$/iu;

const CHOOSE = [
  "(?:go(?:ing)?|went|proceed(?:ing)?|stick(?:ing)?|sign(?:ing|ed)?) with",
  "(?:decided|settled|agreed) (?:on|to (?:use|go with|do))",
  "(?:chose|choose|choosing|picked|picking|selected|selecting)",
  "(?:switch(?:ing|ed)?|go(?:ing)?|went|revert(?:ing|ed)?)(?: back)? to",
  "(?:try|use|do)(?=[^.]* instead)",
  "(?:we|i)(?: will|'ll) be (?:doing|using)",
  "(?:we|i) (?:use|chose)",
  "(?:i |we )?prefer(?:s|red)?(?: using| to use)?",
  "(?:we're|we are|i'm|i am) thinking(?: of| about)?",
].join("|");
const CHOICE = new RegExp(
  String.raw`^(?:(?:[\p{L}'’]+ ){0,4}?)(?<verb>${CHOOSE}) (?<value>[^.,;?]{2,80}?)(?: for (?<of>(?:the|our|this|my|that) [^.,;?]{2,60}|now))?(?: instead)?(?: then)?[.!]*$`,
  "iu",
);
const LOOSE = /^(?:i |we )?prefer|thinking/i;

/** A sentence without its lead. */
export function stripLead(sentence: string): string {
  return sentence.replace(LEAD, "");
}

/** The frame of a sentence with one subject and one value. */
function readFrame(sentence: string): SentenceFrame | undefined {
  const plain = sentence.replaceAll("’", "'");
  const choice = CHOICE.exec(plain)?.groups;
  if (choice !== undefined) {
    const { verb = "", value = "", of = "" } = choice;
    const isNow = of === "now";
    return {
      kind: "choice",
      of: isNow ? "" : of,
      value,
      isLoose: isNow || LOOSE.test(verb),
    };
  }
  const groups = IS.exec(plain)?.groups;
  const { of = "", value = "" } = groups ?? {};
  if (of === "" || NO_SUBJECT.test(of)) return undefined;
  return { kind: "is", of, value, isLoose: false };
}

/** An earlier turn with its parsed sentences. */
export interface KnownTurn {
  readonly turn: Utterance;
  readonly sentences: readonly ParsedSentence[];
  /** Distance in turns within the same session; infinite for another session. */
  readonly ago: number;
}

/** The new turn with its parsed sentences. */
export interface NewTurn {
  readonly turn: Utterance;
  readonly sentences: readonly ParsedSentence[];
}

/** Marks a span of a turn as outdated. `old` is the outdated value. */
export type Mark = (known: KnownTurn, span: TextSpan, old?: string) => void;

/** One way in which a new turn outdates earlier ones. */
export type StalenessRule = (news: NewTurn, known: readonly KnownTurn[], mark: Mark) => void;

/** Parsed sentences by turn. Turns do not change, and each is compared with all later ones. */
const parsed = new WeakMap<Utterance, readonly ParsedSentence[]>();

function sentencesOf(turn: Utterance): readonly ParsedSentence[] {
  const sentences = parsed.get(turn) ?? readSentences(turn.text);
  parsed.set(turn, sentences);
  return sentences;
}

/** Earlier turns, nearest first. */
export function readKnown(newTurn: Utterance, earlier: readonly Utterance[]): KnownTurn[] {
  return earlier
    .filter(({ id }) => id !== newTurn.id)
    .map((turn) => ({ turn, sentences: sentencesOf(turn), ago: ageOf(newTurn, turn) }))
    .filter(({ ago }) => ago > 0)
    .sort((a, b) => a.ago - b.ago);
}

/** Maximum distance in turns at which most rules compare statements, and the one for references to what was just said. */
export const MAX_DISTANCE = 24;
export const NEAR_DISTANCE = 6;

/** The statements (no questions, guesses or wishes) of earlier turns within a distance, nearest turn first. */
export function* statementsWithin(
  known: readonly KnownTurn[],
  maxDistance: number,
): Generator<{ readonly earlier: KnownTurn; readonly sentence: ParsedSentence }> {
  for (const earlier of known) {
    if (earlier.ago > maxDistance) continue;
    for (const sentence of earlier.sentences) if (!sentence.isOpen) yield { earlier, sentence };
  }
}

function ageOf(newTurn: Utterance, turn: Utterance): number {
  return turn.sessionId === newTurn.sessionId ? newTurn.position - turn.position : Number.POSITIVE_INFINITY;
}

/** True if two turns have the same role and speaker. */
export function isSameSpeaker(a: Utterance, b: Utterance): boolean {
  return a.role === b.role && (a.speaker ?? "") === (b.speaker ?? "");
}
