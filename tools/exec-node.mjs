import { spawn } from "node:child_process";
import { exitCodeOf, passOnSignals } from "./forward-signals.mjs";

/**
 * Lets a Node script take our place: its streams are ours, it gets our signals, its exit code becomes ours.
 *
 * @param {string} node the binary
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<never>}
 */
export function handOver(node, args, options = {}) {
  return new Promise((_resolve, reject) => {
    const child = spawn(node, args, { ...options, stdio: "inherit" });
    passOnSignals(child);
    child.on("error", reject);
    child.on("close", (code, signal) => process.exit(signal ? exitCodeOf(signal) : (code ?? 1)));
  });
}
