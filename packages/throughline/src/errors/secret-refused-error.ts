import { ThroughlineError } from "./throughline-error.ts";

/** A text that looks like a secret and was not saved. The error does not contain it. */
export class SecretRefusedError extends ThroughlineError {
  readonly kind: string;

  constructor(kind: string) {
    super(
      "secret-refused",
      `Memory not saved: the text looks like a secret (${kind}).`,
      "Remove the secret, or set keepSecrets to save it anyway.",
    );
    this.kind = kind;
  }
}
