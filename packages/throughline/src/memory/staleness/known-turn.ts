import type { Utterance } from "../../ports/memory.ts";
import type { TextSpan } from "../extract/extract-turn.ts";
import { type ParsedSentence, readSentences } from "./parsed-sentence.ts";

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
const taken = new WeakMap<Utterance, readonly ParsedSentence[]>();

function sentencesOf(turn: Utterance): readonly ParsedSentence[] {
  const sentences = taken.get(turn) ?? readSentences(turn.text);
  taken.set(turn, sentences);
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

function ageOf(newTurn: Utterance, turn: Utterance): number {
  return turn.sessionId === newTurn.sessionId ? newTurn.position - turn.position : Number.POSITIVE_INFINITY;
}

/** True if two turns have the same role and speaker. */
export function isSameSpeaker(a: Utterance, b: Utterance): boolean {
  return a.role === b.role && (a.speaker ?? "") === (b.speaker ?? "");
}
