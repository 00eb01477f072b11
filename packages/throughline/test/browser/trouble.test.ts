import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../src/test/conformance.ts";
import { START_TIME } from "./open-browser.ts";
import { openTestPages, type Tab, type TestPages } from "./test-pages.ts";

const MEGABYTE = 1024 * 1024;

let pages: TestPages;

beforeAll(async () => {
  pages = await openTestPages({ ownProfile: true });
}, START_TIME);

afterAll(() => pages?.close());

describe("a browser without free storage", () => {
  it("refuses a write as a whole, keeps earlier data, and writes again when storage is free", async () => {
    const tab = await pages.newTab();
    const setQuota = await quotaSetter(tab);
    // Before anything is stored: Chromium looks only now and then at how much it may store.
    await setQuota({ quotaSize: 3 * MEGABYTE });
    await tab.call("append", "full", "first");
    const large = randomBytes(4 * MEGABYTE).toString("base64");
    const refused = { problem: "full", message: expect.stringMatching(/no storage space left/) };
    expect(await tab.call("append", "full", "large", large)).toMatchObject(refused);
    expect((await tab.call("written", "full")).messages).toEqual(["first"]);
    expect(await tab.call("head", "full")).toMatchObject({ appended: 1 });
    expect(await tab.call("append", "full", "small")).toEqual({ value: undefined });
    await setQuota({});
    const isWritten = async () => "value" in (await tab.call("append", "full", "large", large));
    await eventually(isWritten, "there is room again");
    expect((await tab.call("written", "full")).messages).toEqual(["first", "small", "large"]);
  });
});

/** Sets the storage quota of the page while the tab is open; without a value, resets it. */
async function quotaSetter({ page }: Tab): Promise<(quota: { quotaSize?: number }) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  return (quota) => session.send("Storage.overrideQuotaForOrigin", { origin, ...quota });
}

describe("a browser that does not allow the page to store data", () => {
  const denied = `throw new DOMException("denied", "SecurityError")`;
  const cases: [how: string, script: string][] = [
    ["has none to offer", `Object.defineProperty(globalThis, "indexedDB", { value: undefined })`],
    ["does not let it be asked for", `Object.defineProperty(globalThis, "indexedDB", { get() { ${denied}; } })`],
    ["does not let it be opened", `IDBFactory.prototype.open = () => { ${denied}; }`],
    [
      "fails to open it",
      `IDBFactory.prototype.open = () => {
        const request = { error: new DOMException("Internal error", "UnknownError") };
        setTimeout(() => request.onerror({ target: request }));
        return request;
      }`,
    ],
  ];
  it.each(cases)("is reported if it %s", async (_, script) => {
    const tab = await pages.newTab(script);
    const refused = { problem: "unavailable", message: expect.stringMatching(/does not allow the page to store data/) };
    expect(await tab.call("open", "absent")).toMatchObject(refused);
    expect(await tab.call("append", "absent", "m0")).toMatchObject(refused);
    await tab.call("close", "absent");
    await tab.page.close();
  });

  it("is used again when it lets the page", async () => {
    const tab = await pages.newTab(
      `const open = IDBFactory.prototype.open; IDBFactory.prototype.open = () => { ${denied}; };
       globalThis.allow = () => { IDBFactory.prototype.open = open; };`,
    );
    expect(await tab.call("open", "allowed")).toMatchObject({ problem: "unavailable" });
    await tab.page.evaluate("allow()");
    expect(await tab.call("append", "allowed", "m0")).toEqual({ value: undefined });
    expect(await tab.call("open", "allowed")).toEqual({ value: 1 });
  });
});

describe("a database that is deleted under an open store", () => {
  it("starts again with the next call", async () => {
    const tab = await pages.newTab();
    await tab.call("append", "deleted", "m0");
    const other = await pages.newTab();
    await other.page.evaluate(
      `new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase("deleted");
        request.onsuccess = resolve;
        request.onblocked = reject;
      })`,
    );
    expect(await tab.call("append", "deleted", "m1")).toEqual({ value: undefined });
    expect((await tab.call("written", "deleted")).messages).toEqual(["m1"]);
  });
});

describe("invalid data", () => {
  it("is refused with a typed error, and nothing is written", async () => {
    const tab = await pages.newTab();
    expect(await tab.call("commitFunction", "no data")).toMatchObject({ problem: "invalid-option" });
    expect(await tab.call("head", "no data")).toMatchObject({ revision: 0 });
  });
});

describe("a purge and an erasure", () => {
  it("leave no erased data in any table, and keep all other data", async () => {
    const tab = await pages.newTab();
    await tab.call("writeWord", "purged", "secret", "public");
    const before = await tab.call("traces", "purged", "public");
    expect(await tab.call("traces", "purged", "secret")).toBeGreaterThan(40);
    await tab.call("purgeWord", "purged");
    expect(await tab.call("traces", "purged", "secret")).toBe(0);
    expect(await tab.call("traces", "purged", "gone")).toBe(0);
    // The judgement was about both.
    expect(await tab.call("traces", "purged", "public")).toBe(before - 1);
  });
});
