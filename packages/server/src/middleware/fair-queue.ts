import type { MiddlewareHandler } from "hono";

/**
 * Starts queued requests one at a time and yields to the event loop in between. A search over many memories blocks the
 * thread for milliseconds; without the queue, a new request would wait until all earlier clients are done.
 */
export function fairQueue(): MiddlewareHandler {
  const waiting: (() => void)[] = [];
  let isGoing = false;
  const callNext = (): void => {
    const begin = waiting.shift();
    isGoing = begin !== undefined;
    if (begin === undefined) return;
    begin();
    setImmediate(callNext);
  };
  return async (_, next) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (isGoing) return;
      isGoing = true;
      setImmediate(callNext);
    });
    await next();
  };
}
