import { ThroughlineError } from "./throughline-error.ts";

/** Something that must not be remembered by accident. What it is stands nowhere in the error. */
export class SecretRefusedError extends ThroughlineError {
  readonly kind: string;

  constructor(kind: string) {
    super(
      "secret-refused",
      `This looks like a secret (${kind}) and was not remembered.`,
      "Leave it out, or say keepSecrets if it is meant to be kept.",
    );
    this.kind = kind;
  }
}
