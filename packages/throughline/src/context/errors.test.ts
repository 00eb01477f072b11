import { describe, expect, it } from "vitest";
import { DAY } from "../internal/time.ts";
import { openContext } from "./open-context.fixture.ts";

const FIX = "TypeError: Cannot read properties of undefined (reading 'token') — fix: load the user before the session.";

/** A project with much else in it, so that words are as rare as they are in one. */
async function openBusy() {
  const opened = await openContext();
  for (let n = 0; n < 30; n += 1) {
    await opened.memory.remember({ text: `The page of season ${n} fails with a blank screen in browser ${n * 3}.` });
  }
  return opened;
}

async function alike(opened: Awaited<ReturnType<typeof openBusy>>, error: string): Promise<string> {
  opened.clock.pass(3 * DAY);
  const { context } = await opened.context.assemble({ signals: { recentErrors: [error] } });
  return /## Errors\n((?:- .*\n(?: {2}.*\n)*)+)/.exec(context)?.[1] ?? "";
}

describe("a known error", () => {
  it.each([
    ["as it was", "TypeError: Cannot read properties of undefined (reading 'token')"],
    [
      "with where it came from",
      "TypeError: Cannot read properties of undefined (reading 'token')\n    at login (/srv/shop/src/auth/login.ts:31:9)\n    at Layer.handle [as handle_request] (/srv/shop/node_modules/express/lib/router/layer.js:95:5)\n    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)",
    ],
  ])("brings its fix, %s", async (_, error) => {
    const opened = await openBusy();
    await opened.memory.remember({ text: FIX });
    expect(await alike(opened, error)).toContain("load the user before the session");
  });

  it("is recognized by its code", async () => {
    const opened = await openBusy();
    await opened.memory.remember({ text: "Error: ECONNREFUSED 127.0.0.1:5432 — fix: docker compose up -d db" });
    expect(await alike(opened, "connect ECONNREFUSED ::1:5432 while the pool of workers wakes up")).toContain(
      "docker compose up",
    );
  });

  it("matches errors of the same subject first, and not those of other subjects", async () => {
    const opened = await openBusy();
    await opened.memory.remember({ text: "ModuleNotFoundError: No module named 'psycopg2' — fix: pip install it" });
    await opened.memory.remember({ text: "Redis: ECONNREFUSED 127.0.0.1:6379 — fix: brew services start redis" });
    await opened.memory.remember({ text: "Postgres: ECONNREFUSED 127.0.0.1:5432 — fix: docker compose up -d db" });
    expect(await alike(opened, "ModuleNotFoundError: No module named 'requests'")).not.toContain("psycopg2");
    expect(await alike(opened, "connect ECONNREFUSED 127.0.0.1:6379")).toMatch(/^- Redis/);
    expect(await alike(opened, "connect ECONNREFUSED 127.0.0.1:5432")).toMatch(/^- Postgres/);
  });

  it("is shown with the fix from a workflow", async () => {
    const opened = await openBusy();
    await opened.memory.remember({
      kind: "workflow",
      title: "deploy",
      steps: ["test", "stage"],
      text: "To deploy:\nmake test\nflyctl deploy\nIf stage fails with “no access token available, please login”: flyctl auth login (helped 3 times)",
    });
    expect(await alike(opened, "Error: no access token available. Please login")).toContain("flyctl auth login");
  });

  it("is shown with the failure in a session, without the other steps", async () => {
    const opened = await openBusy();
    await opened.memory.remember({
      kind: "episode",
      title: "Invoices",
      levels: { summary: "Invoices get a footer." },
      text: "Invoices get a footer (2026-03-01)\nAsked: give invoices a footer\nFailed: npm run lint: 3 problems → worked when tried again; npm test: Error: DYNAMO_TABLE is not set → with DYNAMO_TABLE=test they pass\nIn the end: Fixed the footer of invoices. Added a test.",
    });
    const told = await alike(opened, "Error: DYNAMO_TABLE is not set");
    expect(told).toMatch(
      /^- npm test: Error: DYNAMO_TABLE is not set → with DYNAMO_TABLE=test they pass\n {2}Invoices get a footer \(2026-03-01\)/,
    );
    expect(told).not.toContain("3 problems");
  });

  it.each(["worked when tried again", "worked after changes to orders.ts"])(
    "does not match a session without a fix: %s",
    async (resolved) => {
      const opened = await openBusy();
      await opened.memory.remember({
        kind: "episode",
        title: "Orders",
        text: `Orders are numbered (2026-03-01)\nFailed: npm test: Error: DYNAMO_TABLE is not set → ${resolved}\nIn the end: done.`,
      });
      expect(await alike(opened, "Error: DYNAMO_TABLE is not set")).toBe("");
    },
  );

  it("does not match an earlier error without a fix", async () => {
    const opened = await openBusy();
    await opened.memory.remember({ text: "The import ends in ETIMEDOUT after a minute." });
    expect(await alike(opened, "Error: ETIMEDOUT")).toBe("");
  });
});

describe("an old error", () => {
  it("is shown with related memories if the budget allows", async () => {
    const { context, memory, clock } = await openContext();
    await memory.remember({ text: FIX });
    expect((await context.assemble()).receipt.items[0]?.rule).toBe("recent-error");
    clock.pass(3 * DAY);
    const { receipt, context: text } = await context.assemble();
    expect(receipt.items[0]?.rule).toBe("note");
    expect(text).toContain(FIX);
  });
});

describe("two contradicting memories", () => {
  it.each([40, 60, 80, 120, 300, 8_000])("are shown together or not at all, in %d tokens", async (budget) => {
    const { context, memory } = await openContext();
    await memory.remember({ text: "The nightly backup of the orders takes 5 minutes." });
    await memory.remember({ text: "The nightly backup of the orders takes 50 minutes." });
    const { context: text } = await context.assemble({ budget, message: "How long does the nightly backup take?" });
    const told = text.match(/takes? 50? minutes/g) ?? [];
    expect([0, 2]).toContain(told.length);
    expect(text.includes("↔")).toBe(told.length === 2);
  });
});
