/** A candidate file, with evidence that is summed up while candidates are gathered. */
export interface Candidate {
  /** Id in the index. -1 for a file without history. */
  readonly id: number;
  readonly path: string;
  /** Share of the anchors' uses that contain it. Newer uses weigh more. */
  together: number;
  /** Number of common uses with the anchors. */
  times: number;
  /** Weighted number of uses right after an anchor. */
  next: number;
  /** Share of the uses of the anchor's folder, and of the nearest parent folder with more uses. */
  folder: number;
  above: number;
  /** Share of the uses of files with similar paths. */
  kin: number;
  /** Share of the newest uses of all files. */
  recent: number;
  /** Share of the uses with the same signals, such as branch or error. */
  signal: number;
  /** True if it was found by its folder or name. */
  isAlike: boolean;
}
