import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { builtProgram } from "../../throughline/test/built.ts";

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Flags of Node itself. */
  readonly node?: readonly string[];
  readonly uid?: number;
  /** Current folder. Default: outside of any repository, so commands work on all projects. */
  readonly cwd?: string;
}

const NO_HOME = path.join(tmpdir(), "throughline-no-home");
/** The environment of a user without configuration. The machine's own would change the results. */
export const PLAIN_ENVIRONMENT = { NO_COLOR: "1", HOME: NO_HOME, USERPROFILE: NO_HOME, CLAUDE_CONFIG_DIR: undefined };

/** Starts the built command line as a user would. */
export function startCli(args: readonly string[], { env, node = [], uid, cwd = tmpdir() }: CliOptions = {}) {
  return spawn(process.execPath, [...node, builtProgram(), ...args], {
    env: { ...process.env, ...PLAIN_ENVIRONMENT, ...env },
    cwd,
    ...(uid === undefined ? {} : { uid }),
  });
}

/** The output until the process ends. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<CliRun> {
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

/** Runs the command line to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const child = startCli(args, options);
  // A process that does not read its input closes it.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  return endOf(child);
}

/** A folder for the tests of a file. */
export function temporaryFolder() {
  let root = "";
  let folders = 0;
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), "throughline-cli-"));
  });
  afterAll(async () => {
    await rm(root, { recursive: true });
  });
  return {
    get path() {
      return root;
    },
    /** A path at which nothing exists yet. */
    fresh(name = "folder"): string {
      folders += 1;
      return path.join(root, `${name}-${folders}`);
    },
    async file(name: string, content: string | Uint8Array): Promise<string> {
      const full = path.join(root, name);
      await writeFile(full, content);
      return full;
    },
  };
}
