import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { environment } from "../config/environment.ts";
import { dataFile } from "../data/data-folder.ts";
import type { DataOptions } from "../data/open-data.ts";

const FOLDER = "last-runs";

/**
 * Notes that a part of an agent's setup ran just now. Each part has its own file, so that processes do not disturb each
 * other.
 */
export async function noteRun(part: string, options: DataOptions): Promise<void> {
  const folder = folderOf(options);
  try {
    // Without data there is no folder for it, and none is created.
    await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
    await writeFile(path.join(folder, part), new Date().toISOString());
  } catch {
    // Only `doctor` reads it: a read-only folder must not stop the agent.
  }
}

/** When each part last ran, in milliseconds. */
export async function readLastRuns(options: DataOptions): Promise<ReadonlyMap<string, number>> {
  const folder = folderOf(options);
  const parts = await readdir(folder).catch(() => []);
  const runs = await Promise.all(
    parts.map(async (part): Promise<readonly [string, number]> => {
      const text = await readFile(path.join(folder, part), "utf8").catch(() => "");
      return [part, Date.parse(text)];
    }),
  );
  return new Map(runs.filter(([, at]) => Number.isFinite(at)));
}

/** In the data folder, even if the data is in a database, because agents run on this machine. */
function folderOf({ data }: DataOptions): string {
  return path.join(path.dirname(dataFile(data, environment())), FOLDER);
}
