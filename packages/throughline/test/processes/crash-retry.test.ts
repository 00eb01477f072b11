import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typeScriptFlags } from "../../../../tools/run/typescript-flags.mjs";
import { createServer } from "../../../server/src/server.ts";
import { ask } from "../../../server/test/request.ts";
import { studioFolder } from "../../../server/test/studio-folder.ts";
import { SOAK } from "../cases.ts";
import { type PostgresServer, START_TIME, startPostgres } from "../postgres-server.ts";
import { openStore } from "./open-store.ts";

const KILLS = 25;
const CLIENTS = 4;
const KEY = { userId: "local", sessionId: "s" };

const studio = studioFolder();
let folder: string;
let postgres: PostgresServer | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-crash-"));
  if (SOAK > 1) postgres = await startPostgres();
}, START_TIME);

afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const stores: [string, () => Promise<string>][] = [
  ["SQLite", async () => join(folder, "crash.db")],
  ["PostgreSQL", async () => (await postgres?.createDatabase()) ?? ""],
];

/** A server in a separate process. */
async function startVictim(store: string) {
  const path = fileURLToPath(new URL("crash-server.ts", import.meta.url));
  const task = JSON.stringify({ store, studio: studio.path });
  const child = spawn(process.execPath, [...typeScriptFlags, path, task], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url } = JSON.parse(line) as { url: string };
  const kill = async () => {
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  };
  return { url, kill };
}

/** A write, named by its key. Every second one is an append. */
function send(url: string, key: string, n: number) {
  const [path, body] =
    n % 2 === 0
      ? ["/sessions/s/messages", { messages: [{ role: "user", content: `Message ${key}.` }] }]
      : ["/memories", { text: `Box ${key} holds the ${key} seeds.` }];
  const headers = { "content-type": "application/json", "idempotency-key": key };
  return ask(url, path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Writes one thing after the other until the server is gone. The last one is in doubt. */
async function writeUntilGone(url: string, name: string, onDone: () => void) {
  const sent: { key: string; n: number; isDone: boolean }[] = [];
  for (let n = 0; ; n += 1) {
    const write = { key: `${name}-${n}`, n, isDone: false };
    sent.push(write);
    const status = await send(url, write.key, n).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status === undefined) return sent;
    expect(status).toBeLessThan(300);
    write.isDone = true;
    onDone();
  }
}

/** Sent until it is answered: for a few seconds the key belongs to the server that died. */
async function retry(url: string, key: string, n: number): Promise<number> {
  for (;;) {
    const { status = 0 } = await send(url, key, n);
    // The key is not free yet, or the machine is too slow for now.
    if (![409, 503, 504].includes(status)) return status;
    await sleep(200);
  }
}

// `npm test` ends a server after each of its commits (crash-retry.test.ts of the server), not at any moment.
describe.skipIf(SOAK === 1).each(stores)("a server on %s that is killed while it writes", (_, create) => {
  it(`carries out every retried request once, ${KILLS} times`, { timeout: 3_600_000 }, async () => {
    const where = await create();
    const store = openStore(where);
    const survivor = await createServer({ port: 0, studio: studio.path, store });
    const opened = await ask(survivor.url, "/sessions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "s" }),
    });
    expect(opened.status).toBe(201);
    const sent: { key: string; n: number; isDone: boolean }[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const { url, kill } = await startVictim(where);
      let left = 1 + Math.floor(Math.random() * 12);
      let killed: Promise<void> | undefined;
      const onDone = () => {
        left -= 1;
        if (left <= 0) killed ??= sleep(Math.random() * 20).then(kill);
      };
      const clients = Array.from({ length: CLIENTS }, (_one, c) => writeUntilGone(url, `r${round}c${c}`, onDone));
      sent.push(...(await Promise.all(clients)).flat());
      await killed;
    }
    const inDoubt = sent.filter(({ isDone }) => !isDone);
    expect(inDoubt).toHaveLength(KILLS * CLIENTS);
    for (let from = 0; from < inDoubt.length; from += CLIENTS) {
      const some = inDoubt.slice(from, from + CLIENTS);
      const statuses = await Promise.all(some.map(({ key, n }) => retry(survivor.url, key, n)));
      expect(statuses.filter((status) => status >= 300)).toEqual([]);
    }
    const messages = (await store.messages.list(KEY)).map(({ parts }) => JSON.stringify(parts));
    const memories = (await store.memories.list((await store.memories.spaces())[0] ?? "", "memories")).map((one) =>
      JSON.stringify(one.levels),
    );
    const times = sent.map(({ key, n }) => [
      key,
      (n % 2 === 0 ? messages : memories).filter((text) => text.includes(` ${key}.`) || text.includes(`Box ${key} `))
        .length,
    ]);
    expect(times.filter(([, count]) => count !== 1)).toEqual([]);
    expect(messages.length + memories.length).toBe(sent.length);
    await survivor.close();
    await store.close();
  });
});
