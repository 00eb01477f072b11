import type { Store } from "../ports/store.ts";
import { APPEND_FACTS } from "./store/append-facts.ts";
import { CLOSE_FACTS } from "./store/close-facts.ts";
import { COMMIT_FACTS } from "./store/commit-facts.ts";
import { CONTENT_FACTS } from "./store/content-facts.ts";
import { ISOLATION_FACTS } from "./store/isolation-facts.ts";
import { LEASE_FACTS } from "./store/lease-facts.ts";
import { LIST_FACTS } from "./store/list-facts.ts";
import { NEWS_FACTS } from "./store/news-facts.ts";
import { READ_FACTS } from "./store/read-facts.ts";
import { freshKey, type StoreCheck } from "./store-check.ts";

/**
 * What every store must do, for any test framework. `open` gives a store that is ready for use; each check opens one,
 * closes it, and uses owners of its own, so that all of them may stand on one database.
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
    ...NEWS_FACTS,
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
