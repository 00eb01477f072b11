/** A file that may be used next, and what speaks for it, added up while candidates are gathered. */
export interface Candidate {
  /** In the index; -1 where it has no history. */
  readonly id: number;
  readonly path: string;
  /** Share of the anchors' uses that it was part of, newer uses weighing more. */
  together: number;
  /** How often it was used with the anchors. */
  times: number;
  /** How often it was touched right after an anchor. */
  next: number;
  /** Share of the uses of the anchor's folder, and of the nearest folder above that is used more. */
  folder: number;
  above: number;
  /** Share of the uses of the files whose paths are most like the anchor's. */
  kin: number;
  /** Share of the newest uses at all. */
  recent: number;
  /** Share of the uses that had what holds now: the branch, the error. */
  signal: number;
  /** It was found by its place or its name. */
  isAlike: boolean;
}
