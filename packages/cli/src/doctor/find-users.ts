import { readdir, readlink, realpath } from "node:fs/promises";
import process from "node:process";

/** The ids of other processes that have a file open, as far as this user may know; `undefined` where the system does not tell. */
export async function findUsers(file: string): Promise<number[] | undefined> {
  if (process.platform !== "linux") return undefined;
  const wanted = await realpath(file);
  const processes = (await readdir("/proc")).map(Number).filter((id) => Number.isInteger(id) && id !== process.pid);
  const users = await Promise.all(processes.map(async (id) => ((await hasOpen(id, wanted)) ? [id] : [])));
  return users.flat();
}

async function hasOpen(id: number, wanted: string): Promise<boolean> {
  // It may be another user's, and it may end while we look.
  const files = await readdir(`/proc/${id}/fd`).catch(() => []);
  const paths = await Promise.all(files.map((name) => readlink(`/proc/${id}/fd/${name}`).catch(() => "")));
  return paths.includes(wanted);
}
