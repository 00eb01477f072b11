import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { getRequestListener } from "@hono/node-server";
import { createServer } from "@throughline/server";
import { createClient } from "@throughline/server/client";
import { Hono } from "hono";
import { sqliteStore } from "throughline/sqlite";

// A measured server in its own process: its processor time is that of the requests alone.

/** Kind of server: the product, or a minimal one as a baseline. */
export type TurnServerTask =
  | {
      readonly kind: "throughline";
      readonly file: string;
      readonly sizes: readonly number[];
      readonly sessions: number;
    }
  | { readonly kind: "bare" }
  | { readonly kind: "insert"; readonly file: string; readonly rows: number };

/** Answer to a task: the address, or the processor time of the inserts in microseconds. */
export type TurnServerReady = { readonly url: string } | { readonly cpu: number };

process.once("message", async (task: TurnServerTask) => {
  if (task.kind === "insert") {
    process.send?.({ cpu: insertRows(task.file, task.rows) });
    process.exit(0);
  }
  const url = task.kind === "bare" ? await serveBare() : await serveThroughline(task);
  process.send?.({ url });
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system });
  });
});

async function serveThroughline({ file, sizes, sessions }: Extract<TurnServerTask, { kind: "throughline" }>) {
  const { url } = await createServer({ port: 0, store: sqliteStore(file) });
  const client = createClient({ url });
  for (const size of sizes) {
    for (let i = 0; i < sessions; i += 1) {
      const { id } = await client.sessions.create({ id: `${size}-${i}` });
      await client.sessions.append(id, makeMessages(size));
    }
  }
  return url;
}

/** A session of short messages: the cost of a turn besides the bytes that have to be sent. */
function makeMessages(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: `Message ${i}: look at src/part${i % 40}.ts once more.`,
  }));
}

async function serveBare(): Promise<string> {
  const app = new Hono().post("/", async (c) => c.json(await c.req.json()));
  const server = createHttpServer(getRequestListener(app.fetch));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Processor time of inserting rows of the size of a message, with a commit for each. */
function insertRows(file: string, rows: number): number {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  database.exec(
    "CREATE TABLE messages (owner TEXT, session TEXT, position INTEGER, content TEXT, PRIMARY KEY (owner, session, position)) WITHOUT ROWID",
  );
  const insert = database.prepare("INSERT INTO messages VALUES (?, ?, ?, ?)");
  const [begin, commit] = [database.prepare("BEGIN IMMEDIATE"), database.prepare("COMMIT")];
  const before = process.cpuUsage();
  for (let row = 0; row < rows; row += 1) {
    begin.run();
    insert.run("local", `s${row % 20}`, row, JSON.stringify({ role: "user", content: `Message ${row}` }));
    commit.run();
  }
  const { user, system } = process.cpuUsage(before);
  database.close();
  return user + system;
}
