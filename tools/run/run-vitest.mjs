import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBin } from "./find-bin.mjs";
import { run } from "./run.mjs";

/**
 * Runs the tests with visible output, and counts them.
 *
 * @param {string[]} args such as a part of a file's name
 * @param {Record<string, string>} [env]
 * @returns {Promise<import("./run-steps.mjs").Outcome>}
 */
export async function runVitest(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "throughline-test-"));
  try {
    const file = join(folder, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const vitest = [findBin("vitest"), "run", ...reporters, ...args];
    // Hundreds of processes load the same code: it is compiled once.
    const compiled = { NODE_COMPILE_CACHE: join(folder, "compiled") };
    const { ok } = await run(process.execPath, vitest, { env: { ...compiled, ...env }, show: "all" });
    return countTests(ok, existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A test file that does not load has no tests to count, and neither has an error outside of a test: a failed run always
 * has at least one failure.
 *
 * @param {boolean} ok
 * @param {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: unknown[]
 * }[] }} [report]
 */
export function countTests(ok, report) {
  if (!report) return { ok: false, passed: 0, failed: 1 };
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.length,
  );
  const failed = report.numFailedTests + unloaded.length;
  return { ok: ok && failed === 0, passed: report.numPassedTests, failed: ok ? failed : Math.max(1, failed) };
}
