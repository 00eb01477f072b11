import { HTTPException } from "hono/http-exception";
import { timeout } from "hono/timeout";
import { problem } from "../problem.ts";

/** Answers 504 if a response does not start in time. The request may still take effect. */
export function limitTime(milliseconds: number) {
  return timeout(milliseconds, () => {
    const res = problem(504, "timed-out", "The request timed out. Check whether it took effect before you retry.");
    return new HTTPException(504, { res });
  });
}
