import { ThroughlineError } from "./throughline-error.ts";

/** A part that must stay in the window, with its size. */
export interface IrreduciblePart {
  /** Description: `the system prompt`, `text of user message s1/m0`. */
  readonly what: string;
  readonly tokens: number;
}

/** Number of parts that the message names. */
const MAX_NAMED = 3;

/**
 * The parts that must stay in the window are larger than the budget. The stored history is unchanged.
 *
 * @example
 * try {
 *   await session.prepare({ budget: 2_000 });
 * } catch (error) {
 *   if (error instanceof IrreducibleContextError) console.error(error.parts[0]);
 * }
 */
export class IrreducibleContextError extends ThroughlineError {
  /** The budget, in tokens. */
  readonly budget: number;
  /** Tokens of the smallest window. */
  readonly tokens: number;
  /** The parts of that window, largest first. */
  readonly parts: readonly IrreduciblePart[];

  constructor(budget: number, tokens: number, parts: readonly IrreduciblePart[]) {
    const shown = parts.slice(0, MAX_NAMED);
    const others = tokens - shown.reduce((sum, part) => sum + part.tokens, 0);
    const all = others > 0 ? [...shown, { what: "everything else together", tokens: others }] : shown;
    const largest = all.map(({ what, tokens: size }) => `${what} (${size.toLocaleString("en-US")})`);
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

/**
 * Another process is compacting the session, and did not finish within the time that the caller waits.
 *
 * @example
 * try {
 *   await session.compact();
 * } catch (error) {
 *   if (error instanceof SessionBusyError) console.log(`${error.sessionId} is being compacted by another process.`);
 * }
 */
export class SessionBusyError extends ThroughlineError {
  /** Id of the session. */
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(
      "session-busy",
      `Session ${sessionId} is busy: it is being compacted.`,
      "Retry in a moment. A stale lock expires by itself.",
    );
    this.sessionId = sessionId;
  }
}
