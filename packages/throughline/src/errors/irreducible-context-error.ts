import { ThroughlineError } from "./throughline-error.ts";

/** A part that must stay in the window, with its size. */
export interface IrreduciblePart {
  readonly what: string;
  readonly tokens: number;
}

/** A window that cannot be reduced to the budget, with its largest parts. */
export class IrreducibleContextError extends ThroughlineError {
  readonly budget: number;
  readonly tokens: number;
  readonly parts: readonly IrreduciblePart[];

  constructor(budget: number, tokens: number, parts: readonly IrreduciblePart[]) {
    const largest = parts.slice(0, 3).map(({ what, tokens: size }) => `${what} (${size.toLocaleString("en-US")})`);
    super(
      "irreducible-context",
      `Cannot fit ${tokens.toLocaleString("en-US")} tokens into a budget of ${budget.toLocaleString("en-US")}. Largest parts: ${largest.join(", ")}.`,
      "Raise the budget or shorten these parts. The stored history is unchanged.",
    );
    this.budget = budget;
    this.tokens = tokens;
    this.parts = parts;
  }
}
