import type { Message } from "throughline";
import type { Point } from "./points.ts";

/** Makes a text of at most `budget` tokens out of what was before a compaction. */
export interface SummaryPolicy {
  readonly name: string;
  /** It cannot write to a size: measured at the size that it has. */
  readonly ownSizeOnly?: boolean;
  summarise(point: Point, budget: number): Promise<string>;
}

/** Makes a window of at most `budget` tokens out of what was before a compaction. */
export interface WindowPolicy {
  readonly name: string;
  /** Settings of one method share its name; the table shows, for each budget, the one that turned out best. */
  readonly family: string;
  fit(point: Point, budget: number): Promise<readonly Message[]>;
}
