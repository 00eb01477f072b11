#!/usr/bin/env node
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import packageJson from "../package.json" with { type: "json" };

// `npx throughline` starts the command line of the same version: the installed one, or the one that npx downloads.
const PACKAGE = "@throughline/cli";
const { version } = packageJson;

const installed = findInstalled();
if (installed === undefined) runWithNpx();
else await import(pathToFileURL(installed).href);

/** The program of the installed command line; `undefined` if there is none of this version. */
function findInstalled(): string | undefined {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`${PACKAGE}/package.json`);
    const found: { readonly version?: unknown } = require(manifest);
    return found.version === version ? join(dirname(manifest), "dist", "bin.js") : undefined;
  } catch {
    return undefined;
  }
}

function runWithNpx(): void {
  const args = ["--yes", `${PACKAGE}@${version}`, ...process.argv.slice(2)];
  // On Windows npx is a script that only a shell can start, so the arguments are quoted for it.
  const isWindows = process.platform === "win32";
  const child = spawn("npx", isWindows ? args.map((arg) => JSON.stringify(arg)) : args, {
    stdio: "inherit",
    shell: isWindows,
  });
  child.on("error", (error) => {
    process.stderr.write(`Could not start npx (${error.message}). Run: npm install --global ${PACKAGE}@${version}\n`);
    process.exitCode = 1;
  });
  // The terminal sends Ctrl-C to both processes: this one waits for the other to end.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  child.on("close", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
  });
}
