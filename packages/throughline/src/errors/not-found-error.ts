import { ThroughlineError } from "./throughline-error.ts";

/**
 * An id or handle is unknown.
 *
 * @example
 * try {
 *   await session.expand("part:s1/m4.0");
 * } catch (error) {
 *   if (error instanceof NotFoundError) console.error(error.message);
 * }
 */
export class NotFoundError extends ThroughlineError {
  constructor(
    item: string,
    scope: "here" | "in this session" | `in session ${string}` = "in this session",
    hint = scope === "here" ? "Check the id." : "Check the id. Handles are listed in the masked outputs and notes.",
  ) {
    super("not-found", scope === "here" ? `${item} was not found.` : `${item} was not found ${scope}.`, hint);
  }
}
