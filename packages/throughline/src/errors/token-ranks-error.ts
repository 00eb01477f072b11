import { ThroughlineError } from "./throughline-error.ts";

const HINT =
  "Await createThroughline() or loadTokenRanks() first. If the runtime can neither read nor fetch dist/token-ranks.bin, pass its content: await loadTokenRanks(bytes).";

/**
 * Tokens cannot be counted because the token ranks are not loaded. Happens only where the package's files cannot be
 * read synchronously, as in browsers and edge runtimes.
 *
 * @example
 * try {
 *   countTokens("Hello");
 * } catch (error) {
 *   if (error instanceof TokenRanksError) await loadTokenRanks();
 * }
 */
export class TokenRanksError extends ThroughlineError {
  constructor(problem: string, options?: { cause?: unknown }) {
    super("token-ranks", problem, HINT, options);
  }
}
