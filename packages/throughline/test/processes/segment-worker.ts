import process from "node:process";
import { createThroughline } from "../../src/throughline.ts";
import { openStore } from "./open-store.ts";

// Adds messages and purges some, so that search segments are written, extended and dropped, until it is killed. Reports
// the number of messages after each step.

export interface SegmentTask {
  readonly store: string;
  /** Number of the first message. */
  readonly from: number;
}

const STEP = 350;

const { store, from } = JSON.parse(process.argv[2] ?? "") as SegmentTask;
const { memory } = await createThroughline({ store: openStore(store), userId: "ada" });
for (let n = from; ; n += STEP) {
  const messages = Array.from({ length: STEP }, (_, i) => ({
    id: `m${n + i}`,
    role: "user",
    text: `Parcel ${n + i} went to harbour ${i % 9}.`,
  }));
  await memory.ingest({ sessionId: `s${n}`, messages });
  await memory.recall("harbour 5");
  if (n % (3 * STEP) === 0) await memory.purge(`m${n}`);
  process.stdout.write(`${JSON.stringify({ stored: n + STEP })}\n`);
}
