/** A statement to compare with another one. `claimOf` makes one from a memory. */
export interface Claim {
  readonly text: string;
  /** Attribute, if the claim states one attribute of something: `db`. */
  readonly key?: string;
  /** Value of the attribute: `PostgreSQL`. */
  readonly value?: string;
  /** The key can have several values at once, so another value is no contradiction. Default: false. */
  readonly takesMany?: boolean;
  /** Entity that the claim is about. Default: the user. */
  readonly subject?: string;
  /** Validity interval, in milliseconds since 1970. Default: unbounded. */
  readonly validFrom?: number;
  readonly validTo?: number;
}

/** Rule that found a contradiction. */
export type ContradictionKind = "value" | "negation" | "antonym" | "opinion" | "number" | "date";

/** A contradiction between two claims, found by rules. */
export interface Finding {
  readonly kind: ContradictionKind;
  /** Reason as one readable sentence. */
  readonly reason: string;
  /** Confidence of the rule, from 0 to 1. */
  readonly confidence: number;
}
