import type { Store } from "../ports/store.ts";
import { APPEND_FACTS } from "./store/append-facts.ts";
import { BLOB_FACTS } from "./store/blob-facts.ts";
import { CLOSE_FACTS } from "./store/close-facts.ts";
import { COMMIT_FACTS } from "./store/commit-facts.ts";
import { CONTENT_FACTS } from "./store/content-facts.ts";
import { DOCUMENT_FACTS } from "./store/document-facts.ts";
import { ISOLATION_FACTS } from "./store/isolation-facts.ts";
import { LEASE_FACTS } from "./store/lease-facts.ts";
import { LIST_FACTS } from "./store/list-facts.ts";
import { MEMORY_COMMIT_FACTS } from "./store/memories/commit-facts.ts";
import { MEMORY_CONTENT_FACTS } from "./store/memories/content-facts.ts";
import { MEMORY_ENTRY_FACTS } from "./store/memories/entry-facts.ts";
import { MEMORY_ERASE_FACTS } from "./store/memories/erase-facts.ts";
import { MEMORY_JOURNAL_FACTS } from "./store/memories/journal-facts.ts";
import { MEMORY_READ_FACTS } from "./store/memories/read-facts.ts";
import { MEMORY_SPACE_FACTS } from "./store/memories/space-facts.ts";
import { NOTIFICATION_FACTS } from "./store/notification-facts.ts";
import { READ_FACTS } from "./store/read-facts.ts";
import { documentToStoreFact, freshKey, type MemoryFact, memoryToStoreFact, type StoreCheck } from "./store-check.ts";

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
