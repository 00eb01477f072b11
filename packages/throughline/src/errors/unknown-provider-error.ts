import { ThroughlineError } from "./throughline-error.ts";

/** A provider whose rules for windows are not known here. */
export class UnknownProviderError extends ThroughlineError {
  readonly provider: string;

  constructor(provider: string, known: readonly string[]) {
    const names = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
    super(
      "unknown-provider",
      `Unknown provider "${provider}": it has to be ${names}.`,
      "Name the one whose API the host speaks.",
    );
    this.provider = provider;
  }
}
