import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { library, packages } from "./package/entry-points.mjs";
import { root } from "./run/paths.mjs";
import { run } from "./run/run.mjs";
import { runNpm } from "./run/run-npm.mjs";
import { Failure, runTool } from "./run/run-tool.mjs";

const USAGE = "Usage: npm run release -- version | publish [--dry-run]";
const CHANGESETS = "@changesets/cli@3.0.3";
const changelog = join(root, "CHANGELOG.md");
const UNRELEASED = "## Unreleased\n";

// npm run release -- version: sets the versions that the files in .changeset ask for, and dates the changelog.
// npm run release -- publish: checks everything, and publishes the packages with provenance.
await runTool(async () => {
  const [verb, ...flags] = process.argv.slice(2);
  if (verb === "version" && flags.length === 0) await setVersions();
  else if (verb === "publish" && flags.every((flag) => flag === "--dry-run")) await publish(flags);
  else throw new Failure(USAGE);
});

async function setVersions() {
  const before = manifestOf(library).version;
  await mustSucceed(runNpm(["exec", "--yes", "--", CHANGESETS, "version"], { show: "all" }), "changeset version");
  const { version } = manifestOf(library);
  if (version === before) throw new Failure("No version to set: add a file to .changeset with `npx changeset`.");
  const text = readFileSync(changelog, "utf8");
  if (!text.includes(UNRELEASED)) throw new Failure(`CHANGELOG.md has no heading "${UNRELEASED.trim()}".`);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, text.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date})\n`));
  await mustSucceed(runNpm(["run", "lock"], { show: "all" }), "npm run lock");
}

/** @param {string[]} flags */
async function publish(flags) {
  const { output: changes } = await run("git", ["status", "--porcelain"]);
  if (changes !== "") throw new Failure("The working tree has changes. Commit them first.");
  const manifests = packages.map(manifestOf);
  for (const { name, version, repository } of manifests) {
    // npm compares the repository field with the place of the build.
    if (repository === undefined) throw new Failure(`${name} has no repository field, which provenance needs.`);
    if (!readFileSync(changelog, "utf8").includes(`## ${version} (`))
      throw new Failure(`CHANGELOG.md has no section for ${version}. Run \`npm run release -- version\`.`);
  }
  await mustSucceed(runNpm(["test"], { show: "all" }), "npm test");
  await mustSucceed(runNpm(["run", "test:runtimes"], { show: "all" }), "npm run test:runtimes");
  for (const { folder } of packages) {
    const args = ["publish", "--provenance", "--access", "public", ...flags];
    await mustSucceed(runNpm(args, { cwd: folder, show: "all" }), `npm publish in ${folder}`);
  }
}

/** @param {import("./package/entry-points.mjs").Package} one */
function manifestOf({ folder }) {
  /** @type {{ name: string, version: string, repository?: unknown }} */
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return manifest;
}

/**
 * @param {Promise<{ ok: boolean, output: string }>} running
 * @param {string} name
 */
async function mustSucceed(running, name) {
  const { ok, output } = await running;
  if (!ok) throw new Failure(`${name} failed. ${output}`.trim());
}
