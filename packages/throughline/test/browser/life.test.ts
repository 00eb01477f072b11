import { afterAll, beforeAll, expect, it } from "vitest";
import { inProcessStore } from "../../src/store/in-process.ts";
import { liveMemories } from "../live-memories.ts";
import { START_TIME } from "./open-browser.ts";
import type { LifeApi } from "./page-api.ts";
import { openTestPages, type TestPages } from "./test-pages.ts";

let pages: TestPages<LifeApi>;

beforeAll(async () => {
  pages = await openTestPages<LifeApi>({ module: "life.ts" });
}, START_TIME);

afterAll(() => pages?.close());

it("memories live in the browser as they do in the process", async () => {
  const tab = await pages.newTab();
  expect(await tab.call("live", "life")).toEqual(await liveMemories(inProcessStore()));
});
