import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { ensureProgram, programs } from "./ensure/ensure-program.mjs";
import { findBin } from "./run/find-bin.mjs";
import { root } from "./run/paths.mjs";
import { run } from "./run/run.mjs";
import { runSteps } from "./run/run-steps.mjs";
import { runTool } from "./run/run-tool.mjs";
import { runVitest } from "./run/run-vitest.mjs";
import { typeScriptFlags } from "./run/typescript-flags.mjs";
import { typeCheckStep } from "./type-check.mjs";

/** @typedef {import("./run/run-steps.mjs").Step} Step */

// npm test: runs all checks. With arguments: only the named tests and their requirements.
await runTool(async () => {
  await ensureNode();
  const filter = process.argv.slice(2);
  const isSome = filter.length > 0;
  /** @type {Record<string, string>} */
  const env = {};
  // Programs are downloaded while packages are unpacked.
  const first = [{ name: "install", work: ensureInstalled }, ...(isSome ? [] : findPrograms(env))];
  const results = await runSteps(first);
  if (results.every(({ failed }) => failed === 0)) {
    for (const steps of isSome ? someTests(filter) : allTests(env)) results.push(...(await runSteps(steps)));
  }
  report(results);
});

/**
 * @param {string[]} filter
 * @returns {Step[][]}
 */
function someTests(filter) {
  return [[{ name: "build", work: ensureBuilt }], [{ name: "tests", work: () => runVitest(filter) }]];
}

/**
 * @param {Record<string, string>} env receives the paths of the programs
 * @returns {Step[]}
 */
function findPrograms(env) {
  return Object.values(programs).map((program) => ({
    name: program.title,
    work: async () => {
      env[program.variable] = await ensureProgram(program);
    },
  }));
}

/**
 * @param {Record<string, string>} env
 * @returns {Step[][]} groups, one after the other: types of the examples and the tests are those of the built package
 */
function allTests(env) {
  const prepare = [
    { name: "build", work: ensureBuilt },
    { name: "lint", work: () => run(process.execPath, [findBin("@biomejs/biome", "biome"), "check", "."]) },
  ];
  const check = [typeCheckStep, { name: "knip", work: () => run(process.execPath, [findBin("knip")]) }];
  return [prepare, check, [{ name: "tests", work: () => runVitest([], env) }], examples()];
}

/** @returns {Step[]} */
function examples() {
  const folder = join(root, "examples");
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
  return files.map((name) => ({
    name: `examples/${name}`,
    work: () => run(process.execPath, [...typeScriptFlags, join(folder, name)], { cwd: folder, timeout: 120_000 }),
  }));
}

/** @param {Awaited<ReturnType<typeof runSteps>>} results */
function report(results) {
  const failing = results.filter(({ failed }) => failed > 0);
  if (failing.length > 0) {
    console.log(`\nFailed: ${failing.map(({ name }) => name).join(", ")}`);
    process.exitCode = 1;
  }
  const sum = (/** @type {"passed" | "failed"} */ key) => results.reduce((total, result) => total + result[key], 0);
  // CI reads this line: it is the last one, on its own.
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
}
