import { afterAll, beforeAll, expect, it } from "vitest";
import { inProcessStore } from "../../src/store/in-process.ts";
import { liveMemories } from "../live-memories.ts";
import { liveSegments } from "../live-segments.ts";
import { longTest } from "../long-tests.ts";
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

longTest(
  "search segments in the browser give the same hits as in the process, and keep nothing that is purged",
  async () => {
    const tab = await pages.newTab();
    const store = inProcessStore();
    const expected = await liveSegments(() => ({ ...store, close: async () => undefined }));
    expect(await tab.call("segments", "segments")).toEqual(expected);
  },
);
