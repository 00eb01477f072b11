import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { createServer } from "../src/server.ts";
import { ask } from "./request.ts";
import { studioFolder } from "./studio-folder.ts";

const studio = studioFolder();
const WORD = "zucchetto";

it("a purge leaves nothing in the folder of the data, not even in the backup of a migration", async () => {
  const folder = mkdtempSync(join(tmpdir(), "throughline-purge-"));
  const file = join(folder, "s.db");
  const store = sqliteStore(file);
  const server = await createServer({ port: 0, studio: studio.path, store });
  const call = (method: string, path: string, body?: unknown) =>
    ask(server.url, path, {
      method,
      ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
  const filesWithWord = () => readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(WORD));
  // Files after a migration, with the log that contains the latest writes.
  const backUp = () => {
    for (const log of ["", "-wal"]) copyFileSync(`${file}${log}`, `${file}.v7.backup${log}`);
    expect(filesWithWord().join()).toContain(".backup");
  };

  const saved = (await call("POST", "/memories", { text: `The safe opens with ${WORD}.` })).json();
  const { memory } = saved as { memory: { id: string } };
  backUp();
  expect((await call("DELETE", `/memories/${memory.id}`)).status).toBe(200);
  expect(filesWithWord()).toEqual([]);

  await call("POST", "/sessions", { id: "s" });
  await call("POST", "/sessions/s/messages", { messages: [{ role: "user", content: `Say ${WORD}.` }] });
  backUp();
  expect((await call("DELETE", "/sessions/s")).status).toBe(204);
  expect(filesWithWord()).toEqual([]);

  await server.close();
  await store.close();
  rmSync(folder, { recursive: true });
});
