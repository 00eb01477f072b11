import process from "node:process";
import { createThroughline, type Model, type Session, type Store } from "throughline";
import { postgresStore } from "throughline/postgres";
import { sqliteStore } from "throughline/sqlite";
import type { WorkerTask, WorkerWord } from "./worker-task.ts";

// One of many processes that work on sessions. It reports each step on standard output, only when the
// store has acknowledged it.

const task = JSON.parse(process.argv[2] ?? "") as WorkerTask;

function say(word: WorkerWord): void {
  process.stdout.write(`${JSON.stringify(word)}\n`);
}

function open(where: string): Store {
  return where.startsWith("postgres:") ? postgresStore(where) : sqliteStore(where);
}

/** A slow summarizer, so that other writers commit in between. It reports when it runs. */
function slowModel(session: string): Model {
  const now = () => performance.timeOrigin + performance.now();
  return {
    modelId: "slow",
    async generate() {
      say({ kind: "start", session, at: now() });
      await new Promise((resolve) => setTimeout(resolve, 15));
      say({ kind: "end", session, at: now() });
      return { text: "" };
    },
  };
}

say({ kind: "ready" });
const store = open(task.store);
const sessions: Session[] = [];
for (const id of task.sessions) {
  const throughline = await createThroughline({ store, model: slowModel(id) });
  sessions.push(throughline.session(id, { lockTime: task.lockTime, lockWait: 30_000 }));
}

for (let n = 0; n < task.messages; n += 1) {
  for (const session of sessions) {
    const text = `${task.name} says ${n} in ${session.id}`;
    await session.append([
      { role: "user", content: text },
      { role: "assistant", content: `${"word ".repeat(120)}${n}` },
    ]);
    say({ kind: "appended", session: session.id, text });
    if (n % task.compactEach !== task.compactEach - 1) continue;
    const event = await session.compact({ keepTokens: 200, targetTokens: 300 });
    if (event !== undefined) say({ kind: "compacted", session: session.id, event: event.id });
    await session.prepare();
  }
}
await store.close();
