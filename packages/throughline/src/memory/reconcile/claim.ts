/** A statement to compare with another one. `claimOf` creates a claim from a memory. */
export interface Claim {
  readonly text: string;
  /** Attribute, if the claim states one attribute of something: `db`. */
  readonly key?: string;
  /** Value of the attribute: `PostgreSQL`. */
  readonly value?: string;
  /** Entity that the claim is about. Default: the user. */
  readonly subject?: string;
  /** Validity interval, in milliseconds since 1970. Default: unbounded. */
  readonly validFrom?: number;
  readonly validTo?: number;
  /** The claim was stated as a change of an earlier state. */
  readonly updatesPrevious?: boolean;
}

/** A conflict between two claims, found by rules. */
export interface Finding {
  /**
   * `supersedes`: the newer claim states a change. `contradicts`: both cannot be true, and the rules cannot decide
   * between them.
   */
  readonly relation: "supersedes" | "contradicts";
  /** Reason as one readable sentence. */
  readonly reason: string;
}
