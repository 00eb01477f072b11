import { ThroughlineError } from "./throughline-error.ts";

const HINT =
  "Await createThroughline() or loadTokenRanks() first. If the runtime can neither read nor fetch dist/token-ranks.bin, pass its content: await loadTokenRanks(bytes).";

/** Tokens cannot be counted, because the token ranks are not loaded. The message says what to do. */
export class TokenRanksError extends ThroughlineError {
  /** @param problem without a full stop at its end */
  constructor(problem: string, options?: { cause?: unknown }) {
    super("token-ranks", `${problem}. ${HINT}`, HINT, options);
  }
}
