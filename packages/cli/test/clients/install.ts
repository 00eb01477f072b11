import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNpm } from "../../../../tools/run/run-npm.mjs";
import type { Client } from "./client.ts";

/** Reasons of failed installations, by folder. */
export type InstallFailures = ReadonlyMap<string, string>;

/** Installs missing clients. A failed one does not stop the others. */
export async function installClients(
  clients: readonly Client[],
  root: string,
  say: (line: string) => void,
): Promise<InstallFailures> {
  const failures = new Map<string, string>();
  for (const folder of new Set(clients.map((client) => client.folder))) {
    const client = clients.find((one) => one.folder === folder);
    if (client === undefined) continue;
    const at = join(root, folder);
    const reason = isInstalled(client, at) ? undefined : await install(client, at, say);
    if (reason !== undefined) failures.set(folder, reason);
    cpSync(join(import.meta.dirname, "agents"), join(at, "agents"), { recursive: true });
  }
  return failures;
}

const stampOf = (folder: string) => join(folder, "node_modules", ".installed");

function isInstalled({ packages }: Client, folder: string): boolean {
  const stamp = stampOf(folder);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === JSON.stringify(packages);
}

async function install({ packages }: Client, folder: string, say: (line: string) => void): Promise<string | undefined> {
  const named = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  say(`Installing ${named.join(", ")} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: packages }),
  );
  const args = ["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  const { ok, output } = await runNpm(args, { cwd: folder });
  if (!ok) return `not installed: ${output.trim().split("\n").at(0) ?? "npm failed"}`;
  writeFileSync(stampOf(folder), JSON.stringify(packages));
  return undefined;
}
