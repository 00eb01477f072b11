import { StoreError } from "./store-error.ts";

/**
 * The error after too many attempts to write.
 *
 * @param what What could not be done, such as `append to session s1`.
 */
export function lostAttempts(what: string, tries: number): StoreError {
  return new StoreError("busy", `Could not ${what}: ${tries} attempts lost to concurrent writers.`, {
    hint: "Retry, or write from fewer processes.",
  });
}
