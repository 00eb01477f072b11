import { StoreError } from "../../errors/store-error.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";

const SAFE = "What was remembered before is safe, and the chat goes on.";

/** What a person is told, by what keeps the store from its work. */
const SENTENCES: Readonly<Partial<Record<StoreError["problem"], string>>> = {
  full: `There is no room left on this device to remember more. ${SAFE} Make room and try again.`,
  "newer-version": `These memories were written by a newer version. ${SAFE} Reload the page to update.`,
  "read-only": `Memories can be read but not changed here. ${SAFE}`,
  corrupt: "The memories on this device are damaged. Nothing was changed, and the chat goes on without them.",
};
const UNREACHABLE =
  "Memories cannot be reached right now. What was remembered is untouched, and the chat goes on without.";

/** An error of ours: what a store throws that is none becomes one. */
export function toTyped(error: unknown): ThroughlineError {
  if (ThroughlineError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StoreError("unavailable", message, { cause: error });
}

/** What to tell a person where an error means that the store is gone; nothing where it only refused this. */
export function sentenceFor(error: ThroughlineError): string | undefined {
  if (!(error instanceof StoreError) || error.problem === "busy" || error.problem === "duplicate-id") return undefined;
  return SENTENCES[error.problem] ?? UNREACHABLE;
}
