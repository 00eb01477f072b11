import { AT_LEAST_ZERO, checkOptions, FLAG } from "../../errors/check-options.ts";
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

/** Number of new messages after which facts are extracted. */
const EVERY = 5;

/**
 * Decides whether to extract facts now: after five new messages, or at the end of a session that has new messages.
 *
 * @param progress Number of messages since the last extraction. `ended` is true at the end of a session (default
 *   false).
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * shouldExtract({ messagesSince: 5 }); // true
 */
export function shouldExtract(progress: { messagesSince: number; ended?: boolean }): boolean {
  checkOptions("shouldExtract", progress, { messagesSince: AT_LEAST_ZERO, ended: FLAG });
  const { messagesSince, ended = false } = progress;
  return messagesSince >= EVERY || (ended && messagesSince > 0);
}

/**
 * Computes a fingerprint of messages from their ids, roles, speakers and texts. Use it to skip messages that were
 * already extracted. It is not a cryptographic hash.
 *
 * @param turns The messages. Their order matters.
 *
 * @example
 * segmentFingerprint([{ id: "m1", role: "user", text: "Hi" }]); // "1-9c4ceed9978f458e"
 */
export function segmentFingerprint(turns: readonly ExtractTurn[]): string {
  const text = JSON.stringify(turns.map(({ id, role, speaker = "", text }) => [id, role, speaker, text]));
  return `${turns.length}-${hash(text, 0x811c9dc5)}${hash(text, 0x9747b28c)}`;
}

/** FNV-1a with another start for each half. */
function hash(text: string, start: number): string {
  let value = start;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, "0");
}
