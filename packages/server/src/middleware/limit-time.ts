import { HTTPException } from "hono/http-exception";
import { timeout } from "hono/timeout";
import { problem } from "../problem.ts";

/** An answer that does not begin in time is given up; what was asked for may still be done. */
export function limitTime(milliseconds: number) {
  return timeout(milliseconds, () => {
    const res = problem(504, "timed-out", "This took too long. Look whether it was done before you ask again.");
    return new HTTPException(504, { res });
  });
}
