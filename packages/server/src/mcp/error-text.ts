import { SecretRefusedError, ThroughlineError } from "throughline";
import { oneLine } from "throughline/internal";

const LONGEST = 600;
const INSIDE = "Something went wrong inside; the server's log says what. Try it once more, or go on without it.";

/** What went wrong and what to do next, for a model. What it cannot act on is reported, and said in general words. */
export function sayError(error: unknown, onError: (error: unknown) => void): string {
  if (!ThroughlineError.isInstance(error)) {
    onError(error);
    return INSIDE;
  }
  return oneLine(`${error.message} ${hintOf(error)}`, LONGEST);
}

/** Only a person says that a secret is to be kept. */
function hintOf(error: ThroughlineError): string {
  return error instanceof SecretRefusedError ? "Leave the secret out; the user can keep it by hand." : error.hint;
}
