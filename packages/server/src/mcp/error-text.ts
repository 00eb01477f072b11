import { SecretRefusedError, ThroughlineError } from "throughline";
import { oneLine } from "throughline/internal/util";

const MAX_CHARS = 600;
const INSIDE = "Internal error; the server's log has the details. Try once more, or continue without this tool.";

/** An error message with advice for a model. Internal errors are reported and described only in general terms. */
export function errorText(error: unknown, onError: (error: unknown) => void): string {
  if (!ThroughlineError.isInstance(error)) {
    onError(error);
    return INSIDE;
  }
  return oneLine(`${error.summary} ${hintOf(error)}`, MAX_CHARS);
}

/** Only a person may decide to store a secret. */
function hintOf(error: ThroughlineError): string {
  return error instanceof SecretRefusedError
    ? "Remove the secret from the text; the user can save it with the command line."
    : error.hint;
}
