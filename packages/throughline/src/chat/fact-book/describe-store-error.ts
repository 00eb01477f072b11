import { StoreError } from "../../errors/store-error.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";
import { messageOf } from "../../internal/message-of.ts";

const SAFE = "Your saved memories are safe, and you can keep chatting.";

/** Texts for users, by problem of the store. */
const SENTENCES: Readonly<Partial<Record<StoreError["problem"], string>>> = {
  full: `This device has no space left for new memories. ${SAFE} Free some space and try again.`,
  "newer-version": `These memories were written by a newer version. ${SAFE} Reload the page to update.`,
  "read-only": `Memories are read-only here. ${SAFE}`,
  corrupt: "The memories on this device are damaged. Nothing was changed. You can keep chatting without them.",
};
const UNREACHABLE = "Memories are unavailable right now. Nothing was changed. You can keep chatting without them.";

/** Wraps errors of a store that are not ThroughlineErrors. */
export function toThroughlineError(error: unknown): ThroughlineError {
  if (ThroughlineError.isInstance(error)) return error;
  return new StoreError("unavailable", messageOf(error), { cause: error });
}

/** Text for the user if the store is not usable; `undefined` if it only refused one operation. */
export function userMessageFor(error: ThroughlineError): string | undefined {
  if (!(error instanceof StoreError) || error.problem === "busy" || error.problem === "duplicate-id") return undefined;
  return SENTENCES[error.problem] ?? UNREACHABLE;
}
