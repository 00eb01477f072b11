import { spawn } from "node:child_process";
import { exitCodeOf, forwardSignals } from "./forward-signals.mjs";
import { root } from "./paths.mjs";

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] the repository when not given
 * @property {Record<string, string>} [env] added to ours
 * @property {"all" | "stderr" | "none"} [show] where the output goes: as it is, all of it to stderr, or kept for the caller
 * @property {boolean} [shell]
 * @property {number} [timeout] in milliseconds; after it the program is ended, which is a failure
 */

/**
 * Runs a program to its end. Ctrl-C ends this process too, after the program.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ ok: boolean, code: number, output: string }>} output is the captured output, if it was not shown
 */
export function run(command, args, { cwd = root, env = {}, show = "none", shell = false, timeout } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: streams[show], shell, timeout });
    const stopPassing = forwardSignals(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", (error) => {
      stopPassing();
      resolve({ ok: false, code: 127, output: `${output}${error.message}\n` });
    });
    child.on("close", (code, signal) => {
      const received = stopPassing();
      if (received) process.exit(exitCodeOf(received));
      resolve({ ok: code === 0, code: signal ? exitCodeOf(signal) : (code ?? 1), output });
    });
  });
}

/** @type {Record<"all" | "stderr" | "none", import("node:child_process").StdioOptions>} */
const streams = {
  all: "inherit",
  stderr: ["inherit", 2, 2],
  none: ["ignore", "pipe", "pipe"],
};
