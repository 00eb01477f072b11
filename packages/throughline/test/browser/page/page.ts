import { dexieStore } from "../../../src/store/dexie/dexie.ts";
import { storeChecks } from "../../../src/test/store-checks.ts";
import type { PageApi } from "../page-api.ts";
import { notifications } from "./notifications.ts";
import { rawDatabases } from "./raw-databases.ts";
import { reads } from "./reads.ts";
import { storeCalls } from "./stores.ts";
import { words } from "./words.ts";
import { writes } from "./writes.ts";

const testPage: PageApi = {
  runCheck: async (database, name) => {
    const check = storeChecks(async () => dexieStore({ name: database })).find((one) => one.name === name);
    if (check === undefined) throw new Error(`There is no check "${name}".`);
    await check.run();
  },
  ...storeCalls,
  ...writes,
  ...notifications,
  ...reads,
  ...words,
  ...rawDatabases,
};

Object.assign(globalThis, { testPage });
