import { describe, expect, it } from "vitest";
import { countTokens } from "../tokens/count-tokens.ts";
import type { AssembledContext, Tier } from "./context-api.ts";
import { openProject, textsById } from "./open-context.fixture.ts";

const rulesIn = ({ receipt }: AssembledContext, tier: Tier) =>
  new Set(receipt.items.filter((item) => item.tier === tier).map(({ rule }) => rule));

function expectWithin({ tiers, tokenCount, context, receipt }: AssembledContext): void {
  expect(countTokens(context)).toBe(tokenCount);
  expect(tiers.tier1 + tiers.tier2 + tiers.tier3 + tiers.tier4).toBe(tokenCount);
  expect(tokenCount).toBeLessThanOrEqual(receipt.budget);
  expect(tiers.tier1).toBeLessThanOrEqual(receipt.allotted.critical);
  expect(tiers.tier2).toBeLessThanOrEqual(receipt.allotted.relevant);
  expect(tiers.tier3).toBeLessThanOrEqual(receipt.allotted.background);
  expect(tiers.tier4).toBeLessThanOrEqual(receipt.allotted.index);
}

describe("starting a new feature", () => {
  const signals = { currentFile: "src/auth/device.ts", activity: "new-feature", branch: "feature/remember-device" };

  it("has the module's decisions, patterns, past work, conventions and topics, each in its tier", async () => {
    const { context, memory } = await openProject();
    const assembled = await context.assemble({ budget: 8_000, signals, message: "Let login remember a device" });
    expectWithin(assembled);
    const { receipt } = assembled;
    expect(receipt.activity).toBe("new-feature");
    expect(receipt.allotted.critical).toBe(2_000);
    expect(receipt.allotted.relevant).toBe(3_000 + 2_000 - assembled.tiers.tier1);
    expect([...rulesIn(assembled, "critical")]).toEqual(
      expect.arrayContaining(["active-decision", "recent-decision", "any-open-question", "open-contradiction"]),
    );
    expect([...rulesIn(assembled, "relevant")]).toEqual(expect.arrayContaining(["pattern", "similar-work"]));
    expect([...rulesIn(assembled, "background")]).toEqual(
      expect.arrayContaining(["convention", "workflow", "preference"]),
    );
    expect(rulesIn(assembled, "index")).toContain("topic");
    const texts = await textsById(memory);
    const decided = receipt.items.filter(({ rule }) => rule === "active-decision").map(({ id }) => texts.get(id));
    expect(decided).toEqual(
      expect.arrayContaining([expect.stringMatching(/^ADR-10:/), expect.stringMatching(/^ADR-50:/)]),
    );
    expect(decided.join("\n")).not.toContain("payments");
  });

  it("shows conventions verbatim, and workflows and patterns in full", async () => {
    const { context } = await openProject();
    const { context: text } = await context.assemble({ signals });
    expect(text).toContain(
      "- All handlers return Result<T, E> and never throw across a module boundary. (saved 2024-10-04)\n",
    );
    expect(text).toContain(
      "- How the shop is brought to production. (saved 2024-10-04)\n  Steps: test → build → stage",
    );
    expect(text).toContain("validation: zod_schema");
    expect(text).toMatch(/\nAsk me about: .*payments/);
  });
});

describe("the order of a context", () => {
  it("follows the reader's needs, independent of tiers", async () => {
    const { context } = await openProject();
    const { context: text, receipt } = await context.assemble({
      signals: { currentFile: "src/auth/login.ts", recentErrors: ["TypeError: Cannot read properties (reading 'id')"] },
    });
    expect(text.match(/^## .*$/gm)).toEqual([
      "## Contradictions: ask which holds",
      "## Errors",
      "## Rules",
      "## Preferences",
      "## Commands",
      "## Decided about these files",
      "## Known about these files",
      "## Decided in this project",
      "## Open work",
      "## Recent work",
      "## Patterns of the code",
      "## Also known",
      "## More, on request",
    ]);
    const told = receipt.items.filter(({ tier }) => tier !== "index");
    expect(new Set(told.map(({ tier }) => tier)).size).toBe(3);
    expect(text.match(/^- .*$/gm)).toHaveLength(told.length - 1);
  });

  it("has no section about files if the signals name none", async () => {
    const { context } = await openProject();
    expect((await context.assemble()).context).not.toContain("these files");
  });
});

describe("debugging an error", () => {
  const signals = {
    currentFile: "src/auth/login.ts",
    recentErrors: [
      "TypeError: Cannot read properties of undefined (reading 'id')\n    at login (/srv/app/src/auth/login.ts:31:9)",
    ],
    activity: "debugging",
  };

  it("gives errors and fixes a larger share, and background a smaller one", async () => {
    const { context, memory } = await openProject();
    const assembled = await context.assemble({ budget: 8_000, signals });
    expectWithin(assembled);
    const { receipt, tiers } = assembled;
    expect(receipt.allotted.critical).toBe(3_000);
    expect(receipt.allotted.relevant).toBe(2_500 + 3_000 - tiers.tier1);
    const texts = await textsById(memory);
    const first = receipt.items.find(({ rule }) => rule !== "open-contradiction");
    expect(first?.rule).toBe("similar-error");
    expect(texts.get(first?.id ?? "")).toMatch(/^TypeError: .*fixed by loading the user/);
    expect([...rulesIn(assembled, "critical")]).toEqual(
      expect.arrayContaining(["similar-error", "fix-here", "known-issue"]),
    );
    expect([...rulesIn(assembled, "relevant")]).toEqual(expect.arrayContaining(["module"]));
    const background = receipt.items
      .filter(({ tier }) => tier === "background")
      .map(({ id, rule }) => [rule, texts.get(id)]);
    const workflows = background.filter(([rule]) => rule === "debugging-workflow");
    expect(workflows[0]?.[1]).toContain("error in production");
    const conventions = background.filter(([rule]) => rule === "error-convention");
    expect(conventions[0]?.[1]).toContain("Result<T, E>");
  });

  it("divides any budget as 3,000, 2,500, 1,500 and 1,000 of 8,000", async () => {
    const { context } = await openProject({ userId: "nobody", projectId: "shop" });
    const { receipt } = await context.assemble({ budget: 800, signals: { activity: "debugging" } });
    expect(receipt.allotted.critical).toBe(300);
  });
});

describe("the call in the specification", () => {
  it("returns a context, its tokens, and tiers that add up to them", async () => {
    const { context } = await openProject();
    const assembled = await context.assemble({
      budget: 8_000,
      signals: {
        currentFile: "src/auth/login.ts",
        recentErrors: ["TypeError: Cannot read property..."],
        activity: "debugging",
      },
    });
    expectWithin(assembled);
    expect(assembled.tiers.tier1).toBeGreaterThan(0);
    expect(assembled.tiers.tier2).toBeGreaterThan(0);
    expect(assembled.tiers.tier3).toBeGreaterThan(0);
    expect(assembled.tiers.tier4).toBeGreaterThan(0);
  });

  it("uses nearly all of a budget that is smaller than the content", async () => {
    const { context } = await openProject();
    for (const budget of [200, 350, 500]) {
      const assembled = await context.assemble({ budget, signals: { currentFile: "src/auth/login.ts" } });
      expectWithin(assembled);
      expect(assembled.tokenCount).toBeGreaterThan(budget * 0.85);
      expect(assembled.receipt.nearMisses.length).toBeGreaterThan(0);
    }
  });
});
