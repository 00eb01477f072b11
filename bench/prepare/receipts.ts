import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { createThroughline } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { printTable } from "../print-table.ts";
import { type LongSession, readSessions } from "../real-sessions.ts";
import { printTargets } from "../target.ts";

/** Maximum bytes of a session's receipts as a share of the bytes of its messages. */
const MAX_SHARE = 0.1;
const MIN_TOKENS = 50_000;
const WINDOWS = [200_000, 32_000];
const USAGE = "Usage: npm run bench -- prepare receipts --data FOLDER [--sessions 6]\n";

/**
 * Measures the stored receipts of real sessions. Each session is replayed as an agent runs it: a window is prepared
 * before each message of the model.
 */
export async function runReceipts(args: readonly string[]): Promise<number> {
  const options = { data: { type: "string" }, sessions: { type: "string", default: "6" } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const count = Number(values.sessions);
  if (values.data === undefined || !(count > 0)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const sessions = await readSessions(values.data, "claude-code", { count, minTokens: MIN_TOKENS });
  const measured: StoredBytes[] = [];
  for (const contextLimit of WINDOWS) {
    for (const session of sessions) measured.push(await measureSession(session, contextLimit));
  }
  return print(measured) ? 0 : 1;
}

interface StoredBytes {
  readonly id: string;
  readonly tokens: number;
  readonly contextLimit: number;
  readonly messages: number;
  readonly receipts: number;
  /** Bytes of the rows, without indexes. */
  readonly messageBytes: number;
  readonly receiptBytes: number;
}

async function measureSession({ id, messages, tokens }: LongSession, contextLimit: number): Promise<StoredBytes> {
  const folder = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
  const file = path.join(folder, "receipts.db");
  try {
    const throughline = await createThroughline({ store: sqliteStore(file) });
    const session = throughline.session(id, { contextLimit });
    for (const message of messages) {
      if (message.role === "assistant") await session.prepare();
      await session.append([message]);
    }
    const { receipts } = await session.status();
    await throughline.close();
    const database = new DatabaseSync(file, { readOnly: true });
    const bytes = (table: string) => tableBytes(database, table);
    const messageBytes = bytes("messages") + bytes("message_parts");
    const sizes = { messageBytes, receiptBytes: bytes("receipts") };
    database.close();
    return { id, tokens, contextLimit, messages: messages.length, receipts, ...sizes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function tableBytes(database: DatabaseSync, table: string): number {
  const columns = database.prepare(`SELECT name FROM pragma_table_info(?)`).all(table);
  const sum = columns.map(({ name }) => `COALESCE(LENGTH(CAST("${name}" AS BLOB)), 0)`).join(" + ");
  return Number(database.prepare(`SELECT SUM(${sum}) AS bytes FROM ${table}`).get()?.bytes ?? 0);
}

function print(measured: readonly StoredBytes[]): boolean {
  printTable(
    ["session", "tokens", "window", "messages", "message bytes", "receipts", "bytes each", "share %"],
    measured.map(({ id, tokens, contextLimit, messages, messageBytes, receipts, receiptBytes }) => [
      id.slice(0, 8),
      tokens,
      contextLimit,
      messages,
      messageBytes,
      receipts,
      Math.round(receiptBytes / Math.max(1, receipts)),
      Number(((100 * receiptBytes) / messageBytes).toFixed(1)),
    ]),
  );
  const sum = (field: "messageBytes" | "receiptBytes") => measured.reduce((total, one) => total + one[field], 0);
  const share = sum("receiptBytes") / sum("messageBytes");
  const largest = Math.max(...measured.map((one) => one.receiptBytes / one.messageBytes));
  const holds = measured.length > 0 && largest <= MAX_SHARE;
  const percent = (value: number) => `${(100 * value).toFixed(1)}%`;
  const found = `${percent(share)} of all, ${percent(largest)} of one session`;
  const limit = `at most ${percent(MAX_SHARE)}`;
  return printTargets([{ name: "receipts against the bytes of the messages", measured: found, limit, holds }]);
}
