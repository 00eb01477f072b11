import type { ServerStore } from "../ports/server-store.ts";
import type { Store } from "../ports/store.ts";
import {
  assertRefused,
  documentToStoreFact,
  freshKey,
  type MemoryFact,
  memoryToStoreFact,
  type ServerFact,
  type StoreCheck,
} from "./conformance.ts";
import { MEMORY_COMMIT_FACTS, MEMORY_ENTRY_FACTS } from "./memories/memory-commit-conformance.ts";
import { MEMORY_CONTENT_FACTS, MEMORY_JOURNAL_FACTS } from "./memories/memory-content-conformance.ts";
import { MEMORY_ERASE_FACTS } from "./memories/memory-erase-conformance.ts";
import { MEMORY_READ_FACTS } from "./memories/memory-read-conformance.ts";
import { MEMORY_SPACE_FACTS } from "./memories/memory-space-conformance.ts";
import { ANSWER_FACTS, TOKEN_FACTS } from "./server/answer-conformance.ts";
import { EVENT_FACTS } from "./server/event-conformance.ts";
import { JOB_FACTS, JOB_LEASE_FACTS } from "./server/job-conformance.ts";
import { CLOSE_FACTS, NOTIFICATION_FACTS } from "./store/close-conformance.ts";
import { COMMIT_FACTS, LEASE_FACTS } from "./store/commit-conformance.ts";
import { CONTENT_FACTS, ISOLATION_FACTS } from "./store/content-conformance.ts";
import { BLOB_FACTS, DOCUMENT_FACTS } from "./store/document-conformance.ts";
import { APPEND_FACTS, LIST_FACTS, READ_FACTS } from "./store/messages-conformance.ts";

const MEMORY_FACTS: readonly MemoryFact[] = [
  ...MEMORY_COMMIT_FACTS,
  ...MEMORY_READ_FACTS,
  ...MEMORY_CONTENT_FACTS,
  ...MEMORY_ENTRY_FACTS,
  ...MEMORY_JOURNAL_FACTS,
  ...MEMORY_ERASE_FACTS,
  ...MEMORY_SPACE_FACTS,
];

/**
 * Returns the checks that every `Store` has to pass, for any test framework. Each check opens its own store, uses its
 * own owner and closes the store, so that all can run on one database.
 *
 * @param open Returns a store that is ready for use. Called once per check.
 *
 * @example
 * for (const { name, run } of storeChecks(async () => sqliteStore(":memory:"))) it(name, run);
 */
export function storeChecks(open: () => Promise<Store>): readonly StoreCheck[] {
  const facts = [
    ...APPEND_FACTS,
    ...READ_FACTS,
    ...CONTENT_FACTS,
    ...COMMIT_FACTS,
    ...LEASE_FACTS,
    ...LIST_FACTS,
    ...ISOLATION_FACTS,
    ...MEMORY_FACTS.map(memoryToStoreFact),
    ...DOCUMENT_FACTS.map(documentToStoreFact),
    ...BLOB_FACTS,
    ...NOTIFICATION_FACTS,
    ...CLOSE_FACTS,
  ];
  return facts.map(([name, prove]) => ({
    name,
    run: async () => {
      const store = await open();
      try {
        await prove(store, freshKey());
      } finally {
        await store.close();
      }
    },
  }));
}

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
  const facts: readonly ServerFact[] = [
    ...TOKEN_FACTS,
    ...JOB_FACTS,
    ...JOB_LEASE_FACTS,
    ...EVENT_FACTS,
    ...ANSWER_FACTS,
  ];
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
