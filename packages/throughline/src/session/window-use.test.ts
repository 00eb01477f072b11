import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases, SOAK } from "../../test/cases.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { calculateThreshold } from "../overflow/check-overflow.ts";
import { createThroughline } from "../throughline.ts";
import { exchange, replay } from "./compaction-replay.fixture.ts";
import { clock, steps } from "./long-session.fixture.ts";
import type { SessionOptions } from "./session-options.ts";

/** Number of tokens in the session when it was first compacted. */
async function firstCompaction(options: SessionOptions): Promise<number> {
  const turns = Array.from({ length: 400 }, (_, at) => exchange(at, 100));
  const [first] = await replay(options, turns, 1);
  return first?.grown ?? 0;
}

describe("default reserves", () => {
  it("take the same share of a small window as of one with 128,000 tokens", async () => {
    const tokens = await firstCompaction({ contextLimit: 16_000 });
    expect(tokens).toBeGreaterThan(11_600);
    expect(tokens).toBeLessThan(11_900);
  });

  it("are replaced by reserves that the caller sets, which are not scaled", async () => {
    const config = { systemReserve: 2_000, safetyBuffer: 5_000 };
    const tokens = await firstCompaction({ contextLimit: 16_000, outputReserve: 4_000, config });
    expect(tokens).toBeGreaterThan(3_900);
    expect(tokens).toBeLessThan(4_200);
  });

  it("leave room for a reply of 4,000 tokens in a window of 16,000", async () => {
    const session = (await createThroughline({ clock })).session("s", { contextLimit: 16_000 });
    await session.append([{ role: "user", content: "word ".repeat(20_000) }]);
    expect((await session.prepare()).tokens.final).toBeLessThanOrEqual(12_000);
  });
});

describe("the tail after a compaction", () => {
  const turns = (count: number, tokens: number) => Array.from({ length: count }, (_, at) => exchange(at, tokens));
  const after = async (options: SessionOptions) => {
    const contextLimit = 64_000;
    const [first] = await replay({ contextLimit, ...options }, turns(200, 400), 1);
    return (first?.after ?? 0) / calculateThreshold({ modelContextLimit: contextLimit });
  };

  it("is 30% of the threshold by default", async () => {
    // The summary and the user's words take at most 23% of this window.
    const share = await after({});
    expect(share).toBeGreaterThan(0.29);
    expect(share).toBeLessThan(0.53);
  });

  it("has the share or the number of tokens that the session sets", async () => {
    const [small, large, tokens] = [
      await after({ keepShare: 0.1 }),
      await after({ keepShare: 0.5 }),
      await after({ keepTokens: 23_400 }),
    ];
    // With a smaller tail there is more to summarize.
    expect(large - small).toBeGreaterThan(0.3);
    expect(large - small).toBeLessThan(0.45);
    expect(tokens).toBeCloseTo(large, 1);
  });

  it("is a share of the session if the caller compacts it far below the threshold", async () => {
    const session = (await createThroughline({ clock })).session("s", { contextLimit: 200_000 });
    await session.append(turns(40, 500).flat());
    const { tokensBefore = 0, tokensAfter = 0 } = (await session.compact()) ?? {};
    expect(tokensAfter / tokensBefore).toBeGreaterThan(0.29);
    expect(tokensAfter / tokensBefore).toBeLessThan(0.5);
  });

  it("has the minimum turns even if they are larger than its size", async () => {
    const long = [...turns(40, 1_000), exchange(40, 5_000), exchange(41, 5_000)];
    const session = (await createThroughline({ clock })).session("s", { contextLimit: 64_000, keepShare: 0.02 });
    await session.append(long.flat());
    const { messages, wasCompacted } = await session.prepare();
    expect(wasCompacted).toBe(true);
    expect(messages.slice(-4)).toMatchObject(
      long
        .slice(-2)
        .flat()
        .map(({ role }) => ({ role })),
    );
    expect(JSON.stringify(messages.at(-3)).length).toBeGreaterThan(20_000);
  });
});

/** The default, and tails that are larger than the window. */
const TAILS: readonly SessionOptions[] = [
  {},
  { keepShare: 1 },
  { keepTokens: 10_000_000 },
  { config: { minTurnsToKeep: 1_000 } },
  { config: { recentMessagesToKeep: 1_000 } },
];

describe("a compaction", () => {
  it("leaves the window clearly below its threshold, in windows from 2,000 to 1,000,000 tokens", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(2_000, 3_000, 8_000, 16_000, 32_000, 100_000, 200_000, 1_000_000),
        fc.constantFrom(...TAILS),
        fc.array(fc.record({ share: fc.constantFrom(0.02, 0.05, 0.1), isTool: fc.boolean() }), {
          minLength: 20,
          maxLength: 40,
        }),
        async (contextLimit, tail, sizes) => {
          const turns = sizes.map(({ share, isTool }, at) => {
            const tokens = Math.floor(contextLimit * share);
            return isTool ? toolTurn(at, tokens) : exchange(at, tokens);
          });
          const threshold = calculateThreshold({ modelContextLimit: contextLimit });
          const found = await replay({ contextLimit, ...tail }, turns);
          for (const { after, grown } of found) {
            expect(after).toBeLessThanOrEqual(threshold * 0.8);
            expect(grown).toBeGreaterThan(threshold * 0.1);
          }
        },
      ),
      { numRuns: cases(10) },
    );
  });

  it("lists names of the tail that the window has no room for", async () => {
    const session = (await createThroughline({ clock })).session("s", { contextLimit: 8_000 });
    const words = " value".repeat(6_000);
    const search = (toolCallId: string, pattern: string, value: string) => [
      { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName: "Grep", input: { pattern } }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId, toolName: "Grep", output: { type: "text", value } }],
      },
    ];
    await session.append([
      { role: "user", content: "Find the callers." },
      ...search("c1", "settleInvoice", "two files"),
      { role: "assistant", content: "There are two." },
      ...Array.from({ length: 12 }, (_, at) => exchange(at, 400)).flat(),
      { role: "user", content: "Now list all exports." },
      ...search("c2", "export", `${words}\nsettleInvoice\n${words}`),
    ] as ModelMessage[]);
    const { messages, wasCompacted } = await session.prepare();
    const [last, ...others] = messages.toReversed();
    expect(wasCompacted).toBe(true);
    expect(JSON.stringify(last)).not.toContain("settleInvoice");
    expect(JSON.stringify(others)).toContain("settleInvoice");
  });

  it.runIf(SOAK > 1).each(TAILS.slice(1))(
    "frees at least half of what the first one freed, fifty times, with %j",
    async (tail) => {
      const turns = Array.from({ length: 2_000 }, (_, at) => exchange(at, 400));
      const found = await replay({ contextLimit: 8_000, ...tail }, turns, 50);
      expect(found).toHaveLength(50);
      const first = found[0]?.freed ?? 0;
      expect(first).toBeGreaterThan(1_000);
      for (const { freed } of found) expect(freed).toBeGreaterThanOrEqual(first / 2);
    },
  );
});

/** A question, and one tool call with an output of about `tokens` tokens. */
function toolTurn(at: number, tokens: number): ModelMessage[] {
  const unique = steps(at + 1, 10).slice(-2);
  const [call, result] = unique;
  const output = { type: "text" as const, value: ` value${at % 10}`.repeat(Math.ceil(tokens / 2)) };
  const content = result?.role === "tool" ? result.content.map((part) => ({ ...part, output })) : [];
  return [
    { role: "user", content: `Question ${at}: read file-${at}.` },
    ...(call === undefined ? [] : [call]),
    { role: "tool", content: content as never },
  ];
}
