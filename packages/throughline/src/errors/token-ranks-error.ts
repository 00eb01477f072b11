import { ThroughlineError } from "./throughline-error.ts";

const HINT =
  "Call createThroughline or await loadTokenRanks() first; if the runtime can neither read nor fetch dist/token-ranks.bin, give its bytes: loadTokenRanks(bytes).";

/** Tokens cannot be counted, because the token ranks are not loaded. */
export class TokenRanksError extends ThroughlineError {
  constructor(message: string, options?: { cause?: unknown }) {
    super("token-ranks", message, HINT, options);
  }
}
