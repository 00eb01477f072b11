/** Something that is held to be true. */
export interface Claim {
  readonly text: string;
  /** What it is about, where it says one thing of something: `db`. */
  readonly key?: string;
  readonly value?: string;
  /** The key takes many values at once, so that another value is no conflict. */
  readonly takesMany?: boolean;
  /** Of whom or what it is true; the user, where nothing is said. */
  readonly subject?: string;
  /** When it is true, in milliseconds since 1970; without a start it always was, without an end it still is. */
  readonly validFrom?: number;
  readonly validTo?: number;
}

export type ContradictionKind = "value" | "negation" | "antonym" | "opinion" | "number" | "date";

/** Why two claims cannot both be true. */
export interface Finding {
  readonly kind: ContradictionKind;
  /** One sentence for a person. */
  readonly reason: string;
  /** From 0 to 1. */
  readonly confidence: number;
}
