import { ThroughlineError } from "./throughline-error.ts";

/**
 * `validateWindow` got a provider whose rules are not known.
 *
 * @example
 * try {
 *   validateWindow(messages, "openai");
 * } catch (error) {
 *   if (error instanceof UnknownProviderError) console.error(error.provider);
 * }
 */
export class UnknownProviderError extends ThroughlineError {
  /** Name that was passed. */
  readonly provider: string;

  constructor(provider: string, known: readonly string[]) {
    const names = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
    super(
      "unknown-provider",
      `Unknown provider "${provider}": expected ${names}.`,
      "Use the provider whose API the host implements.",
    );
    this.provider = provider;
  }
}
