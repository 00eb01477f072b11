import type { FactCategory, MemorySource } from "../../ports/memory.ts";

/** A stretch of a text, from `start` up to and without `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** One thing that was said, as far as extraction looks at it. A {@link Turn} is one. */
export interface ExtractTurn {
  readonly id: string;
  /** Only what people say is read: `user`, unless other roles are named. */
  readonly role: string;
  readonly text: string;
  /** Who speaks, where more than one person does. */
  readonly speaker?: string;
  /** What nobody said: all of it, or the spans of the text that were put in, recalled or injected. */
  readonly synthetic?: boolean | readonly TextSpan[];
}

/** A fact that somebody stated, with the words that it rests on. */
export interface ExtractedFact {
  /** Readable without the conversation: "User lives in Lisbon". */
  readonly text: string;
  readonly category: FactCategory;
  readonly key?: string;
  readonly value?: string;
  /** Of whom or what it is true: `user`, a speaker's name, `user's wife`, `project`. */
  readonly subject: string;
  readonly confidence: number;
  readonly source: MemorySource;
  /** It was said as a change of something that was so before. */
  readonly updatesPrevious?: true;
}
