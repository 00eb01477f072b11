import process from "node:process";
import { createServer } from "../../../server/src/server.ts";
import { openStore } from "./open-store.ts";

// One server of several on a database, which hangs in the middle of a job: it is there to be killed.

interface Task {
  readonly store: string;
  readonly studio: string;
  readonly sessionId: string;
}

const { store: where, studio, sessionId } = JSON.parse(process.argv[2] ?? "") as Task;
const store = openStore(where);
const { jobs } = store.server;
await createServer({ port: 0, studio, store });
// The others may be faster: then the next one is ours.
for (let job: unknown; job === undefined; ) {
  await jobs.add({ kind: "extract", owner: "local", key: "hangs", payload: { sessionId } });
  const leased = await jobs.lease("hangs", 2_500, ["extract"]);
  if (leased !== undefined) process.stdout.write(`${JSON.stringify({ leased: leased.id })}\n`);
  job = leased;
}
