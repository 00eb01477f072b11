import { ThroughlineError } from "./throughline-error.ts";

/** Something that a window must hold, with what it takes. */
export interface IrreduciblePart {
  readonly what: string;
  readonly tokens: number;
}

/** A window that cannot be made to fit: says what in it cannot shrink. */
export class IrreducibleContextError extends ThroughlineError {
  readonly budget: number;
  readonly tokens: number;
  readonly parts: readonly IrreduciblePart[];

  constructor(budget: number, tokens: number, parts: readonly IrreduciblePart[]) {
    const largest = parts.slice(0, 3).map(({ what, tokens: size }) => `${what} (${size.toLocaleString("en-US")})`);
    super(
      "irreducible-context",
      `${tokens.toLocaleString("en-US")} tokens cannot be made to fit ${budget.toLocaleString("en-US")}: ${largest.join(", ")}.`,
      "Raise the budget, or make these parts smaller; the history is whole.",
    );
    this.budget = budget;
    this.tokens = tokens;
    this.parts = parts;
  }
}
