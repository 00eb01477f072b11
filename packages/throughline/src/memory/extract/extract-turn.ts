import type { FactCategory, MemorySource } from "../../ports/memory.ts";

/** A range of a text, `end` exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A message to extract facts from. A stored `Turn` is one. */
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
