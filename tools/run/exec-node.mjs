import { spawn } from "node:child_process";
import { exitCodeOf, forwardSignals } from "./forward-signals.mjs";

/**
 * Replaces this process by a Node script: it inherits the streams, gets the signals, and its exit code becomes ours.
 *
 * @param {string} node the binary
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<never>}
 */
export function execNode(node, args, options = {}) {
  return new Promise((_resolve, reject) => {
    const child = spawn(node, args, { ...options, stdio: "inherit" });
    forwardSignals(child);
    child.on("error", reject);
    child.on("close", (code, signal) => process.exit(signal ? exitCodeOf(signal) : (code ?? 1)));
  });
}
