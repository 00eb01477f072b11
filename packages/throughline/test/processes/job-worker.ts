import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { JobTask, JobWord } from "./job-task.ts";
import { openStore } from "./open-store.ts";

// One of many servers that run jobs until none is left. Also publishes an event for each.

const task = JSON.parse(process.argv[2] ?? "") as JobTask;

function say(word: JobWord): void {
  process.stdout.write(`${JSON.stringify(word)}\n`);
}

const store = openStore(task.store);
const { jobs, events } = store.server;
say({ kind: "ready" });
for (;;) {
  const job = await jobs.lease(task.name, task.lease);
  if (job === undefined) {
    const { waiting, running } = await jobs.counts();
    if (waiting + running === 0) break;
    await sleep(10);
    continue;
  }
  say({ kind: "begun", key: job.key, attempt: job.attempts });
  await sleep(Math.random() * 4);
  await events.append([{ owner: job.owner, type: "done", data: { key: job.key, attempt: job.attempts } }]);
  if (await jobs.finish(job.id, task.name)) say({ kind: "finished", key: job.key });
}
await store.close();
