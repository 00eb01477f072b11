import type { ServerStore } from "../ports/server-store.ts";
import { assertRefused } from "./assert.ts";
import { ANSWER_FACTS } from "./server/answer-facts.ts";
import { EVENT_FACTS } from "./server/event-facts.ts";
import { JOB_FACTS } from "./server/job-facts.ts";
import { LEASE_FACTS } from "./server/lease-facts.ts";
import { TOKEN_FACTS } from "./server/token-facts.ts";
import type { ServerFact } from "./server-check.ts";
import { freshKey, type StoreCheck } from "./store-check.ts";

interface Opened {
  readonly server: ServerStore;
  close(): Promise<void>;
}

/**
 * Returns the checks that every store with a `server` part has to pass. Each check opens its own store, uses its own
 * owner and job kinds, and closes the store, so that all can run on one database.
 *
 * @param open Returns a store that is ready for use. Called once per check.
 */
export function serverChecks(open: () => Promise<Opened>): readonly StoreCheck[] {
  const facts: readonly ServerFact[] = [...TOKEN_FACTS, ...JOB_FACTS, ...LEASE_FACTS, ...EVENT_FACTS, ...ANSWER_FACTS];
  const checks = facts.map(([name, prove]) => ({
    name,
    run: async () => {
      const store = await open();
      try {
        await prove(store.server, freshKey().userId);
      } finally {
        await store.close();
      }
    },
  }));
  return [...checks, { name: "a closed store refuses every call for servers", run: async () => refuses(await open()) }];
}

async function refuses(store: Opened): Promise<void> {
  await store.server.events.last([]);
  await store.close();
  const { tokens, jobs, events, answers } = store.server;
  const calls: Record<string, () => Promise<unknown>> = {
    "find of a token": () => tokens.find("t"),
    "revoke of a token": () => tokens.revoke("t", 1),
    "add of a job": () => jobs.add({ kind: "k", owner: "o", key: "k" }),
    "lease of a job": () => jobs.lease("h", 1),
    "finish of a job": () => jobs.finish("1", "h"),
    "list of jobs": () => jobs.list(),
    "append of events": () => events.append([{ owner: "o", type: "t", data: 1 }]),
    "read of events": () => events.read({ owner: "o", after: 0 }),
    "claim of an answer": () => answers.claim("o", "k", "hash", 1),
    "erase of answers": () => answers.erase(),
  };
  for (const [name, call] of Object.entries(calls)) await assertRefused(call(), "closed", name);
}
