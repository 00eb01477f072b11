import { ThroughlineError } from "./throughline-error.ts";

/**
 * A memory was not saved because its text looks like a secret. The error does not contain the text.
 *
 * @example
 * try {
 *   await tl.memory.remember({ text: "The password is hunter2!secret" });
 * } catch (error) {
 *   if (error instanceof SecretRefusedError) console.error(error.kind);
 * }
 */
export class SecretRefusedError extends ThroughlineError {
  /** Kind of the secret: `api-key`, `token`, `private-key`, `password`, `card-number` or `account-number`. */
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
