import { describe, expect, it } from "vitest";
import { DAY, HOUR } from "../internal/time.ts";
import type { ContextSignals, PredictInput } from "./context-api.ts";
import { type OpenContext, openContext } from "./open-context.fixture.ts";

const ERROR = "TypeError: cannot read 'total' of undefined while closing the basket";
const AGAIN =
  "TypeError: cannot read 'total' of undefined while closing the basket\n    at close (/srv/shop/src/a.ts:3:1)";
const OTHER = "RangeError: invalid date in the calendar of deliveries";

const pathsOf = async ({ context }: OpenContext, input: PredictInput): Promise<readonly string[]> =>
  (await context.predict(input)).files.map(({ path }) => path);
/** Confidence in a memory after an event; 0 if it is not predicted. */
const confidenceIn = async (id: string, { context }: OpenContext, input: PredictInput): Promise<number> =>
  (await context.predict(input)).memories.find(({ memory }) => memory.id === id)?.confidence ?? 0;
/** Expects that one event predicts a memory first, and that another event is no or less evidence for it. */
async function expectFirst(id: string, opened: OpenContext, input: PredictInput, other: PredictInput): Promise<void> {
  expect((await opened.context.predict(input)).memories[0]?.memory.id).toBe(id);
  expect(await confidenceIn(id, opened, other)).toBeLessThan(await confidenceIn(id, opened, input));
}
const textOf = async ({ context }: OpenContext, signals: ContextSignals): Promise<string> =>
  (await context.assemble({ signals })).context;

/** A project in which nothing has to do with the signals of the tests. */
async function openBusy(): Promise<OpenContext> {
  const opened = await openContext();
  for (let n = 0; n < 20; n += 1) {
    await opened.memory.remember({ text: `The page of season ${n} has ${n * 3} pictures of mountains.` });
    await opened.context.observe({ fileOpened: `docs/season${n}.md`, sessionId: `season ${n}`, at: n * HOUR });
  }
  return opened;
}

/** An episode of a session, with the file that it changed. */
const episode = (title: string, sessionId: string, file: string, more = "") => ({
  kind: "episode" as const,
  title,
  text: `${title} (2024-10-01)\nOutcome: Done.${more}\nChanged: ${file}`,
  artifacts: [{ type: "file" as const, ref: file }],
  source: { sessionId },
});

describe("each signal changes the prediction and the context:", () => {
  it("an opened file selects memories about it and the files used with it", async () => {
    const opened = await openBusy();
    const { memory } = await opened.memory.remember({ text: "Baskets in src/basket.ts expire after a day." });
    for (const sessionId of ["s1", "s2", "s3"]) {
      for (const fileOpened of ["src/basket.ts", "src/stock.ts"])
        await opened.context.observe({ fileOpened, sessionId });
    }
    expect((await pathsOf(opened, { fileOpened: "src/basket.ts" }))[0]).toBe("src/stock.ts");
    await expectFirst(memory.id, opened, { fileOpened: "src/basket.ts" }, { fileOpened: "src/other.ts" });
    expect(await textOf(opened, { currentFile: "src/basket.ts" })).toContain("## Known about these files\n- Baskets");
  });

  it("a branch selects files and memories of sessions on it", async () => {
    const opened = await openBusy();
    const { memory } = await opened.memory.remember(episode("Round totals half to even", "s1", "src/round.ts"));
    await opened.context.observe({ fileOpened: "src/round.ts", sessionId: "s1", branch: "ada/vat" });
    await expectFirst(memory.id, opened, { branch: "ada/vat" }, { branch: "ada/zebra" });
    const { files } = await opened.context.predict({ branch: "ada/vat" });
    expect(files[0]).toMatchObject({ path: "src/round.ts" });
    expect(files[0]?.reasons).toContain("used on branch ada/vat before");
    expect(await textOf(opened, { branch: "ada/vat" })).toContain("## Where the work stands\n- Round totals");
  });

  it("an error selects files and memories of equal errors only", async () => {
    const opened = await openBusy();
    const failed = `\nFailed: \`npm test\`: ${ERROR} → close the basket before the totals are read`;
    const { memory } = await opened.memory.remember(episode("Close baskets", "s1", "src/close.ts", failed));
    await expectFirst(memory.id, opened, { error: AGAIN }, { error: OTHER });
    const { files } = await opened.context.predict({ error: AGAIN });
    expect(files[0]?.path).toBe("src/close.ts");
    expect(files[0]?.reasons).toContain("changed after the same error before");
    const text = await textOf(opened, { recentErrors: [AGAIN] });
    expect(text).toContain("→ close the basket before the totals are read\n  Close baskets (2024-10-01)");
    expect(text).toContain("src/close.ts");
    expect(await pathsOf(opened, { error: OTHER })).not.toContain("src/close.ts");
    expect(await textOf(opened, { recentErrors: [OTHER] })).not.toContain("## Errors");
  });

  it("an error selects files that a session used after an equal error", async () => {
    const opened = await openBusy();
    const { memory } = await opened.memory.remember({
      text: "Totals are computed lazily.",
      source: { sessionId: "s1" },
    });
    await opened.context.observe({ error: ERROR, sessionId: "s1" });
    await opened.context.observe({ fileOpened: "src/lazy.ts", sessionId: "s1" });
    expect((await pathsOf(opened, { error: AGAIN }))[0]).toBe("src/lazy.ts");
    await expectFirst(memory.id, opened, { error: AGAIN }, { error: OTHER });
    expect(await textOf(opened, { recentErrors: [AGAIN] })).toContain("Totals are computed lazily.");
    expect(await textOf(opened, { recentErrors: [OTHER] })).not.toContain("src/lazy.ts");
  });

  it("the time of day ranks workflows that are usual then first", async () => {
    const opened = await openContext();
    const nine = Math.floor(opened.clock.now() / DAY) * DAY + 9 * HOUR;
    const routine = (title: string, at: number) =>
      opened.memory.remember({ kind: "workflow", title, text: `To ${title}:\nmake ${title}`, source: { at } });
    const { memory: release } = await routine("release", nine - 2 * DAY);
    const { memory: backup } = await routine("backup", nine + 8 * HOUR - DAY);
    await expectFirst(release.id, opened, { at: nine }, { at: nine + 8 * HOUR });
    await expectFirst(backup.id, opened, { at: nine + 8 * HOUR }, { at: nine });
    const first = async (at: number) => /## Commands\n- To (\w+)/.exec(await textOf(opened, { at }))?.[1];
    expect(await first(nine)).toBe("release");
    expect(await first(nine + 8 * HOUR)).toBe("backup");
  });

  it("a collaborator selects their preferences and joint work", async () => {
    const opened = await openBusy();
    const { memory: wish } = await opened.memory.remember({
      text: "Mara prefers small pull requests.",
      subject: "Mara",
      category: "preference",
    });
    const { memory: done } = await opened.memory.remember(episode("Split the mailer", "s1", "src/mail.ts"));
    await opened.context.observe({ fileOpened: "src/mail.ts", sessionId: "s1", collaborator: "Mara" });
    await expectFirst(done.id, opened, { collaborator: "mara" }, { collaborator: "Ben" });
    expect(await confidenceIn(wish.id, opened, { collaborator: "mara" })).toBeGreaterThan(0);
    expect(await confidenceIn(wish.id, opened, { collaborator: "Ben" })).toBe(0);
    expect((await pathsOf(opened, { collaborator: "mara" }))[0]).toBe("src/mail.ts");
    const { receipt } = await opened.context.assemble({ signals: { collaborator: "Mara" } });
    const found = receipt.items.filter(({ tier }) => tier === "relevant").map(({ id }) => id);
    expect(found).toEqual(expect.arrayContaining([wish.id, done.id]));
  });
});
