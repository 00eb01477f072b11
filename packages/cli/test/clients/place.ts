import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtProgram } from "../../../throughline/test/built.ts";
import type { Invocation, Place } from "./client.ts";
import { type Command, type Ended, runToEnd } from "./processes.ts";

const MAX_CLI_MS = 120_000;

/** The environment of all processes: a scratch home without network access. */
export function scratchEnv(home: string): Record<string, string> {
  const nowhere = "http://127.0.0.1:9";
  return {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    TMPDIR: join(home, "tmp"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    CI: "1",
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: "127.0.0.1,localhost",
  };
}

/** Writes files below the home of a client. */
export function writeFiles(home: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
}

/** The command that starts a client, with its files in place. */
export function commandOf({ program, args, env, files = {} }: Invocation, place: Place): Command {
  const { home, repository, installed } = place;
  writeFiles(home, files);
  const isScript = program.endsWith(".mjs");
  const script = join(installed, isScript ? program : join("node_modules", ".bin", program));
  return {
    command: isScript ? process.execPath : script,
    args: isScript ? [script, ...args] : args,
    env: { ...scratchEnv(home), ...env },
    cwd: repository,
  };
}

/** The `throughline` command as a list of arguments, with a separate data folder. */
export function ownProgram(home: string): readonly string[] {
  return [process.execPath, builtProgram(), "--data", join(home, "throughline")];
}

/** Runs the `throughline` command in the repository. */
export function runOwn(
  { home, repository }: Pick<Place, "home" | "repository">,
  args: readonly string[],
): Promise<Ended> {
  const [command = "", ...first] = ownProgram(home);
  return runToEnd({ command, args: [...first, ...args], cwd: repository, env: scratchEnv(home) }, MAX_CLI_MS);
}
