import { describe, expect, it } from "vitest";
import { openContext } from "./open-context.fixture.ts";

const SAVED = "(saved 2024-10-04)";
const RULE = "Always run the linter before a commit, and never commit straight to the branch that customers get.";

describe("a rule of a user", () => {
  it("is shown verbatim if the budget allows", async () => {
    const { context, memory } = await openContext();
    const texts = [RULE, "I prefer tabs over spaces.", "We decided to use Postgres because of its JSON support."];
    for (const text of texts) await memory.remember({ text });
    const assembled = await context.assemble();
    for (const text of texts) expect(assembled.context).toContain(`- ${text} ${SAVED}\n`);
    expect(new Set(assembled.receipt.items.filter(({ tier }) => tier !== "index").map(({ level }) => level))).toEqual(
      new Set(["full"]),
    );
  });

  it("is shortened otherwise, with visible omissions", async () => {
    const { context, memory } = await openContext();
    const long = `${RULE} Ask the owners of that branch first, and tell the support team about every exception.`;
    for (let n = 0; n < 40; n += 1) await memory.remember({ text: long.replace("linter", `linter number${n}`) });
    const { context: text, tokenCount, receipt } = await context.assemble({ budget: 300 });
    expect(tokenCount).toBeLessThanOrEqual(300);
    expect(text).toMatch(/\n- Always run the linter number\d+ before a commit, .{10,60} … \(saved 2024-10-04\)\n/);
    expect(receipt.nearMisses.length).toBeGreaterThan(0);
  });

  it("is shown as typed, with brackets and indentation of code", async () => {
    const { context, memory } = await openContext();
    const text =
      "Always wrap handlers:\nasync def pay(order: dict[str, int]) -> Result<Order>:\n    with tracing():\n        return 2>1";
    await memory.remember({ text });
    const told = text.replaceAll("\n", "\n  ").replace(":", ` ${SAVED}:`);
    expect((await context.assemble()).context).toContain(`- ${told}\n`);
  });

  it("is distinguishable from a rule with a similar short form", async () => {
    const { context, memory } = await openContext();
    for (const name of ["heron", "stork", "crane"]) await memory.remember({ text: RULE.replace("customers", name) });
    const { context: text } = await context.assemble();
    for (const name of ["heron", "stork", "crane"]) expect(text).toContain(RULE.replace("customers", name));
  });
});

describe("a related memory", () => {
  it("is shown too if the budget allows: about the project and the user", async () => {
    const { context, memory } = await openContext();
    await memory.remember({ text: "The staging server is called heron." });
    await memory.remember({ text: "Works as a designer", category: "identity" });
    const { context: text, receipt } = await context.assemble();
    expect(text).toContain(`## Also known\n- The staging server is called heron. ${SAVED}\n`);
    expect(text).toContain(`## About the user\n- Works as a designer ${SAVED}\n`);
    expect(receipt.items.slice(0, 2).map(({ tier, rule }) => [tier, rule])).toEqual([
      ["background", "note"],
      ["background", "person"],
    ]);
  });

  it("is limited to the latest ones", async () => {
    const { context, memory, clock } = await openContext();
    for (let n = 0; n < 60; n += 1) {
      await memory.remember({ text: `Server number ${n} has its home in hall ${"abcdefghij"[n % 10]}${n}.` });
      clock.pass(60_000);
    }
    const { receipt, context: text } = await context.assemble();
    expect(receipt.items.filter(({ rule }) => rule === "note")).toHaveLength(10);
    expect(text).toContain("Server number 59");
    expect(text).not.toContain("Server number 3 ");
  });
});

describe("a pinned memory", () => {
  it.each([1, 2])("in conflict is shown with its counterpart if %d of the two are pinned", async (pins) => {
    const { context, memory } = await openContext();
    await memory.remember({ text: "The nightly backup takes 5 minutes.", pinned: true });
    await memory.remember({ text: "The nightly backup takes 50 minutes.", pinned: pins === 2 });
    for (const activity of ["default", "new-feature", "debugging"]) {
      const { context: text, receipt } = await context.assemble({ signals: { activity }, budget: 120 });
      expect(text).toContain(
        `“The nightly backup takes 5 minutes.” ${SAVED} ↔ “The nightly backup takes 50 minutes.” ${SAVED}`,
      );
      expect(receipt.items.slice(0, 2).map(({ rule }) => rule)).toEqual([
        "pinned-contradiction",
        "pinned-contradiction",
      ]);
    }
  });

  it("is shown in full before all other memories", async () => {
    const { context, memory } = await openContext();
    const pin =
      "Never deploy to production on a Friday, unless Anna of the platform team has said so in writing before.";
    await memory.remember({ text: pin, pinned: true });
    for (let n = 0; n < 12; n += 1) await memory.remember({ text: `Module ${n} belongs to team ${n * 3}.` });
    const { context: text } = await context.assemble({ budget: 120 });
    expect(text).toContain(`- ${pin} ${SAVED}\n`);
  });

  it("is shown for any number of pins that fits", async () => {
    const { context, memory } = await openContext();
    for (let n = 0; n < 70; n += 1) await memory.remember({ text: `Hall ${n} has door ${n * 7}.`, pinned: true });
    const { receipt } = await context.assemble();
    expect(receipt.items.filter(({ rule }) => rule === "pinned")).toHaveLength(70);
  });

  it.each([60, 100, 500, 8_000])("comes first in %d tokens for any signals", async (budget) => {
    const { context, memory, clock } = await openContext();
    await memory.remember({ text: "Nobody works on Sundays.", category: "preference", pinned: true });
    clock.pass(60_000);
    for (const name of ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jan"]) {
      await memory.remember({ text: `Always ask ${name} for the keys of src/auth/${name.toLowerCase()}.ts.` });
    }
    for (const activity of ["default", "new-feature", "debugging"]) {
      const signals = { activity, currentFile: "src/auth/ada.ts" };
      const { context: text, tokenCount, receipt } = await context.assemble({ budget, signals });
      expect(tokenCount).toBeLessThanOrEqual(budget);
      expect(text).toMatch(/^## Pinned\n- .*sundays/im);
      expect(receipt.items[0]).toMatchObject({ rule: "pinned", tier: "critical" });
      expect(receipt.allotted.critical).toBeGreaterThanOrEqual(receipt.items[0]?.tokens ?? 0);
    }
  });
});
