/** A part of a transcript, reduced to the fields that the measures read. */
export type TranscriptPart =
  | { readonly kind: "text" | "reasoning"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: "result"; readonly id: string; readonly isError: boolean; readonly text: string };

/** Tool results are parts of user messages. */
export interface TranscriptMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly TranscriptPart[];
  /** True for the summary that the agent wrote at a compaction. */
  readonly isSummary: boolean;
  /** Zero-based line of the transcript file. */
  readonly line: number;
}

/** A decision or finding that a person noted while reading a session. */
export interface Label {
  readonly text: string;
  /** Words of the transcript that show it. */
  readonly quote?: string;
  /** Zero-based line of the transcript file. */
  readonly line: number;
}

/** Messages to write a note about, with the data that the note is compared with. */
export interface NoteCase {
  readonly id: string;
  readonly messages: readonly TranscriptMessage[];
  readonly labels: readonly Label[];
  /** Identifiers that the agent typed next; at a compaction only. */
  readonly needed?: readonly string[];
  /** The summary that the agent wrote; at a compaction only, if it is readable. */
  readonly ownSummary?: string;
}
