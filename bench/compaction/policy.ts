import type { Message } from "throughline";
import type { Point } from "./points.ts";

/** Builds a text of at most `budget` tokens from the messages before a compaction. */
export interface SummaryPolicy {
  readonly name: string;
  /** True if it cannot write to a size, and is measured at its own size. */
  readonly ownSizeOnly?: boolean;
  summarize(point: Point, budget: number): Promise<string>;
}

/** Builds a window of at most `budget` tokens from the messages before a compaction. */
export interface WindowPolicy {
  readonly name: string;
  /** Settings of one method share its name; the table shows the best one per budget. */
  readonly family: string;
  fit(point: Point, budget: number): Promise<readonly Message[]>;
}
