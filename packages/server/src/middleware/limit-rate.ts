import { createMiddleware } from "hono/factory";
import { Lru } from "throughline/internal/util";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

/** Callers that are tracked at a time. */
const MAX_COUNT = 10_000;

/** Maximum request rate. */
export interface RateLimit {
  /** Requests per minute and caller. All of them may come in one burst. */
  readonly perMinute: number;
}

interface Bucket {
  left: number;
  /** Monotonic time, because the wall clock can be set back. */
  at: number;
}

/** Limits the request rate per caller. */
export function limitRate({ perMinute }: RateLimit) {
  const buckets = new Lru<string, Bucket>({ maxSize: MAX_COUNT });
  return createMiddleware<ServerEnv>(async (c, next) => {
    const { userId, tokenId } = c.var.caller;
    const name = tokenId ?? `user:${userId}`;
    const bucket = refilled(buckets.get(name), perMinute, performance.now());
    buckets.set(name, bucket);
    if (bucket.left >= 1) {
      bucket.left -= 1;
      return next();
    }
    const seconds = Math.ceil(((1 - bucket.left) * 60) / perMinute);
    const headers = { "retry-after": String(seconds) };
    return problem(429, "too-many-requests", `Rate limit exceeded: ${perMinute} requests per minute.`, { headers });
  });
}

function refilled(bucket: Bucket | undefined, perMinute: number, now: number): Bucket {
  if (bucket === undefined) return { left: perMinute, at: now };
  const left = Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / 60_000);
  return { left, at: now };
}
