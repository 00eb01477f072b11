import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isMain } from "../run/is-main.mjs";
import { log, secondsSince } from "../run/log.mjs";
import { run } from "../run/run.mjs";
import { Failure, runTool } from "../run/run-tool.mjs";
import { withLock } from "../run/with-lock.mjs";

/**
 * @typedef {object} Program
 * @property {string} title
 * @property {string} variable the environment variable with its path, which is read and set
 * @property {string[]} names to look for in PATH, or paths where it is on some systems
 * @property {string} aptPackage
 * @property {string} advice how to get it by hand
 */

/**
 * Programs that the tests need and npm cannot install.
 *
 * @type {Record<"chromium" | "curl" | "git", Program>}
 */
export const programs = {
  chromium: {
    title: "Chromium",
    variable: "THROUGHLINE_CHROMIUM",
    // The headless shell takes a third less CPU time per page than the full browser.
    names: [
      "chromium-headless-shell",
      "chromium",
      "chromium-browser",
      "google-chrome-stable",
      "google-chrome",
      "/snap/bin/chromium",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
      "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
    ],
    aptPackage: "chromium-headless-shell",
    advice: "Install Chromium or Google Chrome (on Debian: apt-get install chromium-headless-shell)",
  },
  curl: {
    title: "curl",
    variable: "THROUGHLINE_CURL",
    names: ["curl"],
    aptPackage: "curl",
    advice: "Install curl (on Debian: apt-get install curl)",
  },
  git: {
    title: "git",
    variable: "THROUGHLINE_GIT",
    names: ["git"],
    aptPackage: "git",
    advice: "Install git (on Debian: apt-get install git)",
  },
};

/**
 * Finds a program, or installs it if permitted. Fails without it.
 *
 * @param {Program} program
 * @returns {Promise<string>} its path
 */
export async function ensureProgram(program) {
  const path = findProgram(program) ?? (await withLock("apt-get", () => installProgram(program)));
  if (path) return path;
  const { title, advice, variable } = program;
  throw new Failure(`A test needs ${title}, which is not installed. ${advice}, or set ${variable} to its path.`);
}

/**
 * @param {Program} program
 * @param {NodeJS.ProcessEnv} [env]
 */
export function findProgram({ names, variable, title }, env = process.env) {
  const given = env[variable];
  if (given && !isExecutable(given))
    throw new Failure(`${variable} is ${given}, but there is no executable ${title} at that path.`);
  if (given) return given;
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {Program} program */
async function installProgram(program) {
  const found = findProgram(program);
  if (found) return found;
  const mayInstall = process.getuid?.() === 0 && existsSync("/etc/debian_version") && existsSync("/usr/bin/apt-get");
  if (!mayInstall) return undefined;
  const start = performance.now();
  log(`Installing ${program.title} with apt-get …`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const steps = [["update"], ["install", "-y", "--no-install-recommends", program.aptPackage]];
  for (const args of steps) {
    const { ok, output } = await run("apt-get", args, { env });
    if (!ok) throw new Failure(`${output.trimEnd()}\napt-get ${args.join(" ")} failed. ${program.advice}.`);
  }
  log(`Installed ${program.title} (${secondsSince(start)}).`);
  return findProgram(program);
}

// Called by a test that was started without `npm test`: prints the path.
if (isMain(import.meta.url)) {
  await runTool(async () => console.log(await ensureProgram(programs.chromium)));
}
