import { ThroughlineError } from "./throughline-error.ts";

/** A provider without known window rules. */
export class UnknownProviderError extends ThroughlineError {
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
