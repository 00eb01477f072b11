import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { typeScriptFlags } from "../../../../tools/run/typescript-flags.mjs";
import { checkSqlite, encryptSqlite, sqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { conversation } from "../../src/test/samples.ts";
import { SOAK } from "../cases.ts";

const KILLS = SOAK > 1 ? 60 : 1;
const MESSAGES = 4000;
const encryptionKey = "0f".repeat(32);
const key = { userId: "ada", sessionId: "s" };

let folder: string;
let plain: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-kill-"));
  plain = join(folder, "plain.db");
  const store = sqliteStore(plain);
  await store.messages.append(key, 0, conversation(key, MESSAGES));
  await store.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KILLED = `a file is plain or encrypted, and whole, where the process is killed that encrypts it, ${KILLS} times`;

it(KILLED, { timeout: 60_000 + 10_000 * KILLS }, async () => {
  for (let n = 0; n < KILLS; n += 1) {
    const file = join(folder, `killed-${n}.db`);
    copyFileSync(plain, file);
    await encryptAndKill(file, Math.random() * 400);
    const { encryption } = await checkSqlite(file);
    const options = encryption === "none" ? {} : { encryptionKey };
    const store = sqliteStore(file, options);
    expect(await store.messages.list(key)).toEqual(conversation(key, MESSAGES));
    await store.close();
    await encryptSqlite(file, { encryptionKey });
    expect(await checkSqlite(file, { encryptionKey })).toMatchObject({ encryption: "checked", problems: [] });
    const left = readdirSync(folder).filter((name) => name.startsWith(`killed-${n}`));
    expect(left.some((name) => readFileSync(join(folder, name)).includes("Message 7"))).toBe(false);
    rmSync(file);
  }
});

/** Starts it in a separate process, and kills it after some milliseconds. */
async function encryptAndKill(file: string, later: number): Promise<void> {
  const source = new URL("../../src/store/sqlite/encrypt-sqlite.ts", import.meta.url);
  const script = `
    import { encryptSqlite } from ${JSON.stringify(source)};
    console.log("begins");
    setImmediate(() => encryptSqlite(${JSON.stringify(file)}, { encryptionKey: "${encryptionKey}" }));`;
  const child = spawn(process.execPath, [...typeScriptFlags, "--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  await once(child.stdout, "data");
  await sleep(later);
  child.kill("SIGKILL");
  await ended;
}
