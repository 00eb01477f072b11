/** Runs a function after a delay in milliseconds. Call the result to cancel. */
export type Schedule = (milliseconds: number, run: () => void) => () => void;

export const scheduleByTimer: Schedule = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};
