import { readUserWords, type UserWords } from "../../ledger/quoted/user-words.ts";
import type { FactCategory, MemorySource } from "../../ports/memory.ts";

/** A range of a text, `end` exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A message to extract facts from. A stored {@link Utterance} is one. */
export interface ExtractTurn {
  /** Id of the message, for the source of its facts. */
  readonly id: string;
  /** `user`, `assistant` or another role. Facts are extracted only from the roles of `ExtractOptions`. */
  readonly role: string;
  readonly text: string;
  /** Name of the speaker, if there are several. */
  readonly speaker?: string;
  /** True for text that was inserted (recalled or injected) and not written by a person, or the ranges of such text. */
  readonly synthetic?: boolean | readonly TextSpan[];
}

/** A fact that a person stated, with its source. */
export interface ExtractedFact {
  /**
   * The statement in the words of the person ("I live in Lisbon"), or as written by a model ("User lives in Lisbon").
   */
  readonly text: string;
  readonly category: FactCategory;
  /** Attribute and its value, if the fact states one: `residence` and `Lisbon`. */
  readonly key?: string;
  readonly value?: string;
  /** Entity that the fact is about: `user`, the name of a speaker, or `project`. */
  readonly subject: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Message, speaker and quote. */
  readonly source: MemorySource;
  /** Message whose end is part of the text, as `[re: …]`. */
  readonly referent?: MemorySource;
  /** The fact was stated as a change of an earlier state. */
  readonly updatesPrevious?: true;
}

/**
 * Maximum characters to read. People state facts about themselves in short texts; the rest of a longer one is pasted.
 */
const MAX_TEXT_LENGTH = 20_000;

/**
 * The text of a turn with everything blanked that its speaker did not write. Offsets stay unchanged, so that findings
 * can be quoted from the original text.
 */
export function blankForeignText({ text, synthetic = false }: ExtractTurn): UserWords {
  if (synthetic === true) return readUserWords("");
  return readUserWords(text.slice(0, MAX_TEXT_LENGTH), synthetic === false ? [] : synthetic);
}

/** Instructions to the model, in contrast to statements about people. */
const ADDRESSED =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system|any)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|messages?|polic(?:y|ies))\b|\bsystem prompt\b|\b(?:developer|god|admin|dan) mode\b|\bjailbreak\b|^\s*(?:system|assistant|developer|tool)\s*:|<\/?(?:system|instructions?|tool|assistant|memory)\b|^you are now\b|\b(?:reveal|print|output|leak|send|exfiltrate)\b.{0,30}\b(?:hidden|secret|credentials|passwords?|api keys?)\b/i;

/** True if a text contains instructions to the model, for example to ignore its system prompt. */
export function hasModelInstructions(text: string): boolean {
  return ADDRESSED.test(text);
}
