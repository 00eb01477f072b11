import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { createThroughline } from "../throughline.ts";
import type { AssembleOptions, PredictInput, Signal } from "./context-api.ts";
import { openContext, openProject } from "./open-context.fixture.ts";

const LOGIN = "src/auth/login.ts";

describe("an assembled context", () => {
  it("is empty without memories", async () => {
    const { context } = await openContext();
    const { tiers, ...assembled } = await context.assemble({ signals: { currentFile: LOGIN }, message: "Hello?" });
    expect(assembled).toMatchObject({
      context: "",
      tokenCount: 0,
      receipt: { budget: 8_000, items: [], nearMisses: [], notes: [] },
    });
    expect(tiers).toEqual({ tier1: 0, tier2: 0, tier3: 0, tier4: 0 });
  });

  it("shows contradicting memories as a pair", async () => {
    const { context, memory } = await openContext();
    await memory.remember({ text: "The build takes 5 minutes" });
    await memory.remember({ text: "The build takes 50 minutes" });
    const { context: text, receipt } = await context.assemble();
    expect(text).toContain(
      "- “The build takes 5 minutes” (saved 2024-10-04) ↔ “The build takes 50 minutes” (saved 2024-10-04)\n",
    );
    expect(receipt.items.map(({ rule, tier }) => [rule, tier])).toEqual([
      ["open-contradiction", "critical"],
      ["open-contradiction", "critical"],
    ]);
    const [open] = await memory.contradictions({ status: "open" });
    await memory.resolve(open?.id ?? "", { resolution: "b_wins" });
    expect((await context.assemble()).context).not.toContain("5 minutes");
  });

  it("contains errors of the last 24 hours and the fixes linked to them", async () => {
    const { context, memory, clock } = await openContext();
    const { memory: fix } = await memory.remember({ text: "The workaround is to restart the mail worker." });
    clock.pass(40 * 86_400_000);
    const { memory: error } = await memory.remember({ text: "Sending mail fails with ECONNREFUSED." });
    await memory.update(error.id, { links: [fix.id] });
    const rules = async () => (await context.assemble()).receipt.items.map(({ id, rule }) => [id, rule]);
    expect(await rules()).toEqual(
      expect.arrayContaining([
        [error.id, "recent-error"],
        [fix.id, "recent-error"],
      ]),
    );
    clock.pass(25 * 3_600_000);
    expect((await rules()).map(([, rule]) => rule)).not.toContain("recent-error");
  });

  it("contains preferences of a collaborator only if the signals name them", async () => {
    const { context } = await openProject();
    const rulesWith = async (collaborator?: string) => {
      const { receipt } = await context.assemble({ signals: collaborator === undefined ? {} : { collaborator } });
      return receipt.items.filter(({ tier }) => tier === "relevant").map(({ rule }) => rule);
    };
    expect(await rulesWith("mara")).toEqual(["collaborator-preference"]);
    expect(await rulesWith()).toEqual([]);
  });

  it("contains memories and utterances that match the message", async () => {
    const { context, memory } = await openContext();
    await memory.ingest({
      sessionId: "s1",
      messages: [{ id: "m1", role: "user", text: "The dentist's number is in the blue book." }],
    });
    const { context: text, receipt } = await context.assemble({ message: "Where is the dentist's number?" });
    expect(text).toContain("“The dentist's number is in the blue book.”");
    expect(receipt.items[0]).toMatchObject({ tier: "relevant", rule: "fits-task", level: "full" });
    const known: AssembleOptions["isKnown"] = ({ messageId }) => messageId === "m1";
    expect((await context.assemble({ message: "Where is the dentist's number?", isKnown: known })).context).toBe("");
  });

  it("shows decisions of an episode about the current files, and the other files that it names", async () => {
    const { context, memory } = await openContext();
    await memory.remember({
      kind: "episode",
      title: "Rework orders",
      text: [
        "Rework orders (2024-10-01)",
        "Outcome: Done.",
        "Decided and found:",
        "- It all went well. Renamed `priceOf()` → `roundPrice()`.",
        `- “It is slow. Keep the id of \`roundPrice\` stable.” ${LOGIN} reads the order id from the session, because cookies were too large.`,
        "Changed: src/orders/list.ts",
      ].join("\n"),
      levels: { summary: "Rework orders. It all went well." },
      artifacts: [{ type: "file", ref: LOGIN }],
    });
    const told = async (currentFile: string) => (await context.assemble({ signals: { currentFile } })).context;
    expect(await told(LOGIN)).toContain(
      `- Rework orders (2024-10-01) (saved 2024-10-04)\n  Done.\n  Renamed \`priceOf()\` → \`roundPrice()\`. “Keep the id of \`roundPrice\` stable.” ${LOGIN} reads the order id from the session, because cookies were too large.\n`,
    );
    expect(await told("docs/index.md")).not.toContain("It all went well");
  });

  it("omits questions, and sentences that refer to an omitted one", async () => {
    const { context, memory } = await openContext();
    const said = [
      "“why does `readCart()` fail?”",
      "It went well.",
      "This removes `cartCache` entirely.",
      "**Cause:** `readCart()` keeps a copy.",
      "It comes of `loadCart()`.",
    ];
    const text = `Rework the cart\nOutcome: Done.\nDecided and found:\n- ${said.join(" ")}`;
    await memory.remember({ kind: "episode", title: "Rework the cart", text, levels: { summary: "Rework the cart." } });
    expect((await context.assemble()).context).toContain(
      "\n  Done.\n  Cause: `readCart()` keeps a copy. It comes of `loadCart()`.\n",
    );
  });

  it("names each changed file once, grouped by folder", async () => {
    const { context, memory, clock } = await openContext();
    const add = async (title: string, ...paths: string[]) => {
      const artifacts = paths.map((ref) => ({ type: "file" as const, ref }));
      const text = `${title} (2024-10-04)\nOutcome: Done.`;
      await memory.remember({ kind: "episode", title, text, levels: { summary: title }, artifacts });
      clock.pass(60_000);
    };
    await add("Add taxes", "src/cart/cart.ts", "src/cart/total.ts", "src/tax.ts");
    await add("Add a cart", "src/cart/cart.ts", "src/cart/total.ts");
    expect((await context.assemble()).context.match(/Changed: .*/g)).toEqual([
      "Changed: src/cart/{cart.ts, total.ts}",
      "Changed: src/tax.ts and more",
    ]);
  });

  it("lists predicted files on one line if the signals name no files", async () => {
    const { context } = await openContext();
    for (const sessionId of ["s1", "s2", "s3"]) {
      for (const fileOpened of ["src/a.ts", "src/b.ts", LOGIN]) await context.observe({ fileOpened, sessionId });
    }
    await context.observe({ fileOpened: "docs/index.md", sessionId: "s4" });
    const { context: text, receipt } = await context.assemble({ signals: { branch: "ada/new" } });
    expect(text).toMatch(
      /## Files likely needed\n- (?:src\/\{[ab].ts, [ab].ts\}, src\/auth\/login.ts|src\/auth\/login.ts, src\/\{.*\})\n/,
    );
    const files = receipt.items.filter(({ rule }) => rule === "likely-file");
    expect(files.map(({ id }) => id).sort()).toEqual(["file:src/a.ts", "file:src/auth/login.ts", "file:src/b.ts"]);
    expect(files.every(({ reasons }) => reasons.length > 0)).toBe(true);
  });

  it("shows an old episode with the same text before and after a consolidation", async () => {
    const { context, memory, clock } = await openContext();
    const text = [
      "Keep tokens valid (2024-10-04, 1a2b3c4)",
      "Outcome: Done (2 commits).",
      "Asked: why do tokens expire too early?",
      "Decided and found:",
      "- The expiry check used the local time zone. → Times are compared in UTC.",
    ].join("\n");
    const levels = {
      summary: "Keep tokens valid (2024-10-04, 1a2b3c4). The expiry check used the local time zone.",
      compressed: "tokens_fix: tz→utc",
    };
    const artifacts = [{ type: "file" as const, ref: LOGIN }];
    await memory.remember({ kind: "episode", title: "Keep tokens valid", text, levels, artifacts });
    const told = async () => (await context.assemble({ signals: { currentFile: LOGIN } })).context;
    const before = await told();
    expect(before).toContain(
      `## Recent work\n- Keep tokens valid (2024-10-04, 1a2b3c4)\n  Done (2 commits). Changed: ${LOGIN}\n  The expiry check used the local time zone.\n`,
    );
    clock.pass(40 * 86_400_000);
    expect((await memory.consolidate()).compressed).toBe(1);
    expect(await told()).toBe(before);
  });

  it("shows date and commit of an episode once", async () => {
    const { context, memory } = await openContext();
    const text =
      "Keep tokens valid\nOutcome: Done.\nAsked: why do the tokens of customers in other time zones expire hours too early, and only theirs?";
    const levels = { summary: "Keep tokens valid (2024-10-01, 1a2b3c4). Times are compared in UTC." };
    const source = { at: Date.UTC(2024, 9, 1) };
    await memory.remember({ kind: "episode", title: "Keep tokens valid", text, levels, source });
    expect((await context.assemble()).context).toContain(
      "## Recent work\n- Keep tokens valid (2024-10-01, 1a2b3c4)\n  Done.\n  Times are compared in UTC.\n",
    );
  });

  it("puts unfinished work before other work, with its next step", async () => {
    const { context, memory } = await openContext();
    const text =
      "Add a footer (2024-10-04)\nOutcome: Partly done.\nNext: style it for print\nAsked: give invoices a footer";
    await memory.remember({ kind: "episode", title: "Add a footer", text, levels: { summary: "Add a footer." } });
    expect((await context.assemble()).context).toContain(
      "## Open work\n- Add a footer (2024-10-04)\n  Partly done. Next: style it for print.\n",
    );
  });

  it("reflects a change immediately", async () => {
    const { context, memory } = await openContext();
    const { memory: rule } = await memory.remember({
      text: "Never push on Fridays.",
      key: "convention",
      value: "no push on Fridays",
    });
    expect((await context.assemble()).context).toMatch(/Fridays/i);
    await memory.update(rule.id, { text: "Never push on Mondays." });
    expect((await context.assemble()).context).toMatch(/Mondays/i);
    await memory.forget(rule.id);
    expect((await context.assemble()).context).toBe("");
  });

  it("reads the files of a session from its signals", async () => {
    const { context } = await openProject();
    const rules = async (sessionId: string) =>
      (await context.assemble({ signals: { sessionId } })).receipt.items
        .filter(({ tier }) => tier === "critical")
        .map(({ rule }) => rule);
    expect(await rules("s1")).not.toContain("active-decision");
    await context.observe({ fileOpened: LOGIN, sessionId: "s1" }, { prefetch: true });
    await context.observe({ fileOpened: "src/payments/price.ts", sessionId: "s1" }, { prefetch: true });
    expect(await rules("s1")).toContain("active-decision");
  });

  it("contains nothing of a purged session", async () => {
    const { context, throughline } = await openProject();
    await context.observe({ fileOpened: LOGIN, sessionId: "s1" }, { prefetch: true });
    await throughline.purgeSession("s1");
    const { receipt } = await context.assemble({ signals: { sessionId: "s1" } });
    expect(receipt.items.map(({ rule }) => rule)).not.toContain("active-decision");
  });

  it("counts the use of each included memory once, except for background memories", async () => {
    const { context, memory } = await openProject();
    for (let turn = 0; turn < 3; turn += 1) await context.assemble({ signals: { currentFile: LOGIN } });
    const { receipt } = await context.assemble({ signals: { currentFile: LOGIN } });
    await context.settle();
    const used = new Map((await memory.list({ limit: 1_000 })).map(({ id, usage }) => [id, usage.retrieved]));
    for (const { id, tier } of receipt.items.filter(({ tier }) => tier !== "index")) {
      expect(used.get(id)).toBe(tier === "background" ? 0 : 1);
    }
  });
});

describe("shares", () => {
  const own = { critical: 0.5, relevant: 0.5, background: 0, index: 0 };

  it("can be passed with a call or as a named activity", async () => {
    const tl = await createThroughline({ activities: { reviewing: own } });
    const { receipt } = await tl.context.assemble({ budget: 1_000, signals: { activity: "reviewing" } });
    expect(receipt).toMatchObject({ activity: "reviewing", allotted: { critical: 500, relevant: 1_000 }, notes: [] });
    const given = await tl.context.assemble({ budget: 1_000, signals: { activity: "debugging" }, shares: own });
    expect(given.receipt.allotted.critical).toBe(500);
  });

  it("fall back to the defaults for an unknown activity, with a note in the receipt", async () => {
    const { context } = await openContext();
    const { receipt } = await context.assemble({ budget: 1_000, signals: { activity: "dancing" } });
    expect(receipt.allotted.critical).toBe(250);
    expect(receipt.notes).toEqual([expect.stringContaining("dancing")]);
  });

  it("omit a tier with share 0", async () => {
    const { context } = await openProject();
    const shares = { critical: 0, relevant: 0.5, background: 0.5, index: 0 };
    const { tiers, receipt, tokenCount } = await context.assemble({ shares, signals: { currentFile: LOGIN } });
    expect([tiers.tier1, tiers.tier4]).toEqual([0, 0]);
    expect([receipt.allotted.critical, receipt.allotted.index]).toEqual([0, 0]);
    expect(tiers.tier2 + tiers.tier3).toBe(tokenCount);
    expect(Math.min(tiers.tier2, tiers.tier3)).toBeGreaterThan(0);
  });

  it.each([
    ["do not add up", { ...own, index: 0.5 }],
    ["are negative", { ...own, critical: 1.5, index: -1 }],
    ["are missing", { critical: 1 }],
    ["are no numbers", { ...own, critical: "half" }],
  ])("are refused where they %s", async (_, shares) => {
    const { context } = await openContext();
    await expect(context.assemble({ shares } as unknown as AssembleOptions)).rejects.toThrow(InvalidOptionError);
    await expect(createThroughline({ activities: { mine: shares as never } })).rejects.toThrow(InvalidOptionError);
  });
});

describe("bad input", () => {
  it.each([
    { budget: -1 },
    { budget: Number.NaN },
    { budget: Number.POSITIVE_INFINITY },
    { signals: "debugging" },
    { signals: { currentFile: 7 } },
    { signals: { recentErrors: "TypeError" } },
    { signals: { recentFiles: [7] } },
    { signals: { at: "now" } },
    { message: 7 },
  ])("is refused: %j", async (options) => {
    const { context } = await openContext();
    await expect(context.assemble(options as unknown as AssembleOptions)).rejects.toThrow(InvalidOptionError);
  });

  it("in signals and pointers is refused", async () => {
    const { context } = await openContext();
    await expect(context.observe("opened" as unknown as Signal)).rejects.toThrow(InvalidOptionError);
    await expect(context.predict({ fileOpened: 7 } as unknown as PredictInput)).rejects.toThrow(InvalidOptionError);
    for (const signal of [{ recentFiles: "a.ts" }, { recentFiles: [1] }, { at: Number.NaN }, { at: -1 }, null]) {
      await expect(context.observe(signal as never)).rejects.toThrow(InvalidOptionError);
    }
    for (const limit of [0, 1.5, 51]) await expect(context.predict({ limit })).rejects.toThrow(InvalidOptionError);
    await expect(context.expand(7 as unknown as string)).rejects.toThrow(InvalidOptionError);
  });
});
