import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createThroughline } from "throughline";
import { checkSqlite, sqliteStore } from "throughline/sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packageFolder } from "../built.ts";
import { SOAK } from "../cases.ts";

const KILLS = SOAK > 1 ? 60 : 2;
const MESSAGES = 3000;

let folder: string;
let path: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-backup-"));
  path = join(folder, "sessions.db");
  const store = sqliteStore(path);
  const session = (await createThroughline({ store })).session("s");
  const said = (n: number) => ({ role: "user", content: `${n} `.repeat(1000) }) as const;
  await session.append(Array.from({ length: MESSAGES }, (_, n) => said(n)));
  await store.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(`a backup is whole or not there when the process is killed that makes it, ${KILLS} times`, async () => {
  await Promise.all(
    Array.from({ length: KILLS }, async (_, n) => {
      const target = join(folder, `backup-${n}.db`);
      await killedBackup(target, Math.random() * 80);
      if (!existsSync(target)) return;
      expect((await checkSqlite(target)).problems).toEqual([]);
      const copy = sqliteStore(target);
      expect((await copy.sessions.head({ userId: "local", sessionId: "s" })).appended).toBe(MESSAGES);
      await copy.close();
    }),
  );
});

/** Starts a backup in a separate process, and kills it after some milliseconds. */
async function killedBackup(target: string, later: number): Promise<void> {
  const script = `
    import { backupSqlite } from "throughline/sqlite";
    console.log("begins");
    setImmediate(() => backupSqlite(${JSON.stringify(path)}, ${JSON.stringify(target)}));`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: packageFolder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  await once(child.stdout, "data");
  await sleep(later);
  child.kill("SIGKILL");
  await ended;
}
