import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createThroughline } from "../throughline.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { learnFromReport, withLearnedLimit } from "./learn-from-report.ts";
import { clock, steps, task } from "./long-session.fixture.ts";
import { EMPTY_STATE } from "./state/session-state.ts";

const context = { modelId: "gpt-4o", contextLimit: 128_000, outputReserve: 4_000 };
const receipt = { modelId: "gpt-4o", counted: 100_000 };

function budgetAfter(report: Parameters<typeof learnFromReport>[2], state = EMPTY_STATE) {
  const next = learnFromReport(state, receipt, report, withLearnedLimit(context, state));
  const { contextLimit, outputReserve } = withLearnedLimit(context, next);
  return {
    limit: contextLimit,
    own: (contextLimit - outputReserve) / createTokenCounter("gpt-4o", next.calibration).factor,
  };
}

describe("a provider's report on a turn", () => {
  it("lowers the context limit if it names a smaller one", () => {
    expect(budgetAfter({ contextLimit: 32_768, wasRefused: true })).toEqual({ limit: 32_768, own: 28_768 });
    expect(budgetAfter({ contextLimit: 200_000 })).toEqual({ limit: 128_000, own: 124_000 });
  });

  it("leaves room for a longer reply than expected", () => {
    const { own } = budgetAfter({ contextLimit: 100_000, inputTokens: 90_000, outputTokens: 16_000, wasRefused: true });
    expect(own).toBe(84_000);
  });

  it("raises counts after a refusal, and never lowers them", () => {
    expect(budgetAfter({ inputTokens: 130_000, wasRefused: true }).own).toBeCloseTo(124_000 / 1.3, 5);
    const before = budgetAfter({ contextLimit: 64_000, inputTokens: 60_000, wasRefused: true });
    expect(before.own).toBe(60_000);
  });

  it("makes the next window smaller after any refusal, and never smaller than one token", () => {
    const tokens = fc.option(fc.integer({ min: -5, max: 400_000 }), { nil: undefined });
    fc.assert(
      fc.property(
        tokens,
        tokens,
        tokens,
        fc.integer({ min: 1, max: 6 }),
        (contextLimit, inputTokens, outputTokens, times) => {
          const report = Object.fromEntries(
            Object.entries({ contextLimit, inputTokens, outputTokens }).filter(([, value]) => value !== undefined),
          );
          let state = EMPTY_STATE;
          for (let i = 0; i < times; i += 1) {
            const { own, limit } = budgetAfter({ ...report, wasRefused: true }, state);
            expect(own).toBeLessThan(receipt.counted);
            expect(limit).toBeGreaterThan(0);
            state = learnFromReport(state, receipt, { ...report, wasRefused: true }, withLearnedLimit(context, state));
          }
        },
      ),
    );
  });

  it("applies to this session and model only, also in the next process", async () => {
    const throughline = await createThroughline({ clock });
    const options = { modelId: "gpt-4o", contextLimit: 128_000 };
    const session = throughline.session("s", options);
    await session.append([{ role: "user", content: task }, ...steps(100, 2_000)]);
    expect((await session.prepare()).tokens.final).toBeGreaterThan(16_000);
    await session.reportUsage({ contextLimit: 16_000, wasRefused: true });
    const smaller = await session.prepare();
    expect(smaller.tokens.final).toBeLessThanOrEqual(12_000);
    expect(smaller.receipt.budget).toBe(12_000);
    expect((await throughline.session("s", options).prepare()).receipt.budget).toBe(12_000);
    const other = throughline.session("s", { ...options, modelId: "gpt-4.1" });
    expect((await other.prepare()).receipt.budget).toBe(124_000);
  });

  it("counts tool definitions with the turn if they are given", async () => {
    const session = (await createThroughline({ clock })).session("s", { contextLimit: 24_000 });
    await session.append([{ role: "user", content: task }, ...steps(100, 2_000)]);
    const { tokens, receipt: own } = await session.prepare({ toolTokens: 9_000 });
    expect(tokens.final).toBeLessThanOrEqual(own.budget);
    expect(tokens.final).toBeGreaterThan(9_000);
    expect(own.items.find(({ rule }) => rule === "system")?.tokens).toBeGreaterThanOrEqual(9_000);
  });
});
