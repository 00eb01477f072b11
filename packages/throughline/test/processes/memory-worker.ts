import process from "node:process";
import { createThroughline, type Store } from "throughline";
import { postgresStore } from "throughline/postgres";
import { sqliteStore } from "throughline/sqlite";
import type { MemoryTask, MemoryWord } from "./memory-task.ts";

// One of many processes that remember facts: some common to all, some of its own, and the changing home of a user.
// Reports the outcome of each at the end.

const task = JSON.parse(process.argv[2] ?? "") as MemoryTask;

function open(where: string): Store {
  return where.startsWith("postgres:") ? postgresStore(where) : sqliteStore(where);
}

const store = open(task.store);
const { memory } = await createThroughline({ store, userId: "ada" });
const told: MemoryWord[] = [];
for (let n = 0; n < task.facts; n += 1) {
  const texts = [`User likes colour-${n}`, `User likes ${task.name}-thing-${n}`];
  const isTimeToMove = n % task.moveEach === 0;
  if (isTimeToMove) texts.push(`User lives in Town${task.name}${n}`);
  for (const [kind, text] of texts.entries()) {
    const source = { sessionId: task.name, messageId: `${n}-${kind}` };
    const { outcome, memory: kept } = await memory.remember({ text, source });
    told.push({ text, outcome, id: kept.id });
  }
  if (isTimeToMove)
    await memory.ingest({ sessionId: "shared", messages: [{ role: "user", text: `${task.name} says ${n}` }] });
}
await store.close();
process.stdout.write(JSON.stringify(told));
