import { constants } from "node:os";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/** @type {NodeJS.Signals[]} */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * While the child runs, it handles the signals of this process, which stays alive until the child has ended.
 *
 * @param {ChildProcess} child
 * @returns {() => NodeJS.Signals | undefined} stops forwarding and returns the last signal
 */
export function forwardSignals(child) {
  /** @type {NodeJS.Signals | undefined} */
  let received;
  const handlers = signals.map((signal) => {
    const handler = () => {
      received = signal;
      if (!comesFromTerminal(signal)) child.kill(signal);
    };
    process.on(signal, handler);
    return /** @type {const} */ ([signal, handler]);
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
    return received;
  };
}

/**
 * The exit code that a shell reports for a program ended by this signal.
 *
 * @param {NodeJS.Signals} signal
 */
export function exitCodeOf(signal) {
  return 128 + constants.signals[signal];
}

/**
 * Ctrl-C at a terminal also reaches the child directly, and a second one may mean "quit at once" to it.
 *
 * @param {NodeJS.Signals} signal
 */
function comesFromTerminal(signal) {
  return signal === "SIGINT" && [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
}
