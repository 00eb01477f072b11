import { afterAll, beforeAll, describe, it } from "vitest";
import { inProcessStore } from "../../src/store/in-process.ts";
import { storeChecks } from "../../src/test/store-checks.ts";
import { START_TIME } from "./open-browser.ts";
import { openTestPages, type Tab, type TestPages } from "./test-pages.ts";

let pages: TestPages;
let tab: Tab;

beforeAll(async () => {
  pages = await openTestPages();
  tab = await pages.newTab();
}, START_TIME);

afterAll(() => pages?.close());

describe("the store in the browser", () => {
  // Here the names are asked for; the page runs them.
  for (const { name } of storeChecks(async () => inProcessStore())) {
    it(name, () => tab.call("runCheck", "checks", name));
  }
});
