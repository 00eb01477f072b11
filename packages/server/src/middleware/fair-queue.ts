import type { MiddlewareHandler } from "hono";

/**
 * Lets requests begin one after the other, and looks at the network between them. A search over many memories holds the
 * thread for milliseconds: where all who have asked were answered in one go, who knocks meanwhile would wait until the
 * others have nothing more to ask.
 */
export function takeTurns(): MiddlewareHandler {
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
