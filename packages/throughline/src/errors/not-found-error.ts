import { ThroughlineError } from "./throughline-error.ts";

/** An id or a handle that nothing is known of. */
export class NotFoundError extends ThroughlineError {
  constructor(what: string, where: "here" | "in this session" = "in this session") {
    const hint = where === "here" ? "Check the id" : "Check the id; handles are written in the masks themselves";
    super("not-found", `${what} is not ${where}.`, `${hint}.`);
  }
}
