/** Runs something after so many milliseconds, unless the result is called before. */
export type Schedule = (milliseconds: number, run: () => void) => () => void;

export const scheduleByTimer: Schedule = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};
