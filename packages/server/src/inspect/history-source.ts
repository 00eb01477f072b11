import type { TranscriptEvent } from "throughline/transcript";

/** A file with recorded sessions of an agent. */
export interface HistoryFile {
  /** Name of the agent, such as `claude-code`. */
  readonly agent: string;
  /** Path on this machine. It is not part of any response. */
  readonly file: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Milliseconds since 1970 of the last change. */
  readonly changedAt: number;
}

/** Recorded sessions of agents on this machine. */
export interface HistorySource {
  /** Lists the files. Called often; it reads names, sizes and times only. */
  list(): Promise<readonly HistoryFile[]>;
  /** Reads the content of a listed file. */
  read(file: string): AsyncIterable<TranscriptEvent>;
}
