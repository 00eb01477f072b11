#!/usr/bin/env node
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { cmdCommandLine } from "./internal/cmd-command-line.ts";

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
  const child = startNpx(["--yes", `${PACKAGE}@${version}`, ...process.argv.slice(2)]);
  if (child === undefined) return;
  child.on("error", (error) => fail(`Could not start npx (${error.message}).`));
  // The terminal sends Ctrl-C to both processes: this one waits for the other to end.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  child.on("close", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
  });
}

function startNpx(args: readonly string[]): ChildProcess | undefined {
  if (process.platform !== "win32") return spawn("npx", args, { stdio: "inherit" });
  // On Windows npx is a batch file, which only cmd can start.
  const cmd = process.env.ComSpec ?? "cmd.exe";
  try {
    const line = cmdCommandLine(["npx", ...args]);
    const cmdArgs = ["/d", "/e:on", "/v:off", "/s", "/c", `"${line}"`];
    return spawn(cmd, cmdArgs, { stdio: "inherit", windowsVerbatimArguments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    fail(`Could not start npx: ${error.message}`);
    return undefined;
  }
}

function fail(problem: string): void {
  process.stderr.write(`${problem} Run: npm install --global ${PACKAGE}@${version}\n`);
  process.exitCode = 1;
}
