import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PROVIDERS } from "./legality-rules.ts";
import { anyWindow, callPart, legalWindow, resultPart, say, windowOf } from "./message.arbitrary.ts";
import { adjustBoundaryForToolPairs, findToolPairs, legalCutPoints } from "./tool-pairs.ts";
import { validateWindow } from "./validate-window.ts";

describe("legalCutPoints", () => {
  it("keeps a call with its result if the boundary is between them", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x")),
      say("tool", resultPart("x")),
      say("assistant", "done"),
    );
    expect(legalCutPoints(window)).toEqual([0, 1, 3, 4]);
    expect(adjustBoundaryForToolPairs(window, 2)).toBe(1);
  });

  it("keeps parallel calls together if their results are in several messages", () => {
    const window = windowOf(
      say("assistant", callPart("x"), callPart("y")),
      say("tool", resultPart("y")),
      say("tool", resultPart("x")),
      say("user", "next"),
    );
    expect(legalCutPoints(window)).toEqual([0, 3, 4]);
  });

  it("keeps an approval with its request", () => {
    const window = windowOf(
      say("assistant", callPart("x"), { type: "tool-approval-request", approvalId: "p", toolCallId: "x" }),
      say("tool", { type: "tool-approval-response", approvalId: "p", approved: true }),
      say("tool", resultPart("x")),
      say("assistant", "done"),
    );
    expect(legalCutPoints(window)).toEqual([0, 3, 4]);
  });

  it("keeps a call with a pending request in a later message", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x")),
      say("assistant", { type: "tool-approval-request", approvalId: "p", toolCallId: "x" }),
    );
    expect(legalCutPoints(window)).toEqual([0, 1]);
  });

  it("keeps reasoning with the message that it led to", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", { type: "reasoning", text: "hm" }),
      say("assistant", callPart("x")),
      say("tool", resultPart("x")),
    );
    expect(legalCutPoints(window)).toEqual([0, 1, 4]);
  });

  it("allows a cut after a provider-run call without a result", () => {
    const window = windowOf(say("user", "hi"), say("assistant", { ...callPart("x"), providerExecuted: true }));
    expect(legalCutPoints(window)).toEqual([0, 1, 2]);
  });

  it("allows no cut after a call that waits for its result", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x"), callPart("y")),
      say("tool", resultPart("x")),
    );
    expect(legalCutPoints(window)).toEqual([0, 1]);
  });

  it("leaves only whole pairs on both sides of every cut of a legal session", () => {
    fc.assert(
      fc.property(legalWindow, (window) => {
        for (const cut of legalCutPoints(window)) {
          for (const side of [window.slice(0, cut), window.slice(cut)]) {
            const violations = PROVIDERS.flatMap((provider) => validateWindow(side, provider));
            expect(violations.filter(({ code }) => code !== "first-not-user" && code !== "empty-window")).toEqual([]);
          }
        }
      }),
    );
  });

  it("creates no new orphan in any list, legal or not", () => {
    fc.assert(
      fc.property(anyWindow, (window) => {
        const orphansOf = (list: typeof window) => findToolPairs(list).orphans.length;
        for (const cut of legalCutPoints(window)) {
          expect(orphansOf(window.slice(cut)) + orphansOf(window.slice(0, cut))).toBeLessThanOrEqual(
            orphansOf(window) + findToolPairs(window).duplicates.length,
          );
        }
      }),
    );
  });
});

describe("findToolPairs", () => {
  it("matches a result with the nearest preceding call if an id is reused", () => {
    const round = [say("assistant", callPart("call_0")), say("tool", resultPart("call_0"))];
    const { calls, orphans, duplicates } = findToolPairs(windowOf(...round, ...round));
    expect(calls.map((call) => call.result?.place.message)).toEqual([1, 3]);
    expect([...orphans, ...duplicates]).toEqual([]);
  });
});
