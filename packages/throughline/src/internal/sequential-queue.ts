/** Returns a function that runs work sequentially, in the order of calls. Failed work does not stop the queue. */
export function createSequentialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
