import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ledger } from "./ledger.ts";
import { withoutInjected } from "./quoted/injected.ts";
import { anySpeech, assistant, ledgerOf, user } from "./session.arbitrary.ts";

const textsOf = (ledger: Ledger) => ledger.requests.map(({ text }) => text);
const said = (text: string, partId?: string) =>
  textsOf(ledgerOf(user(text, partId === undefined ? {} : { partId })))[0];

describe("the words of a request", () => {
  it("are kept byte for byte, lines and all, with the part that they stand in", () => {
    fc.assert(
      fc.property(fc.array(anySpeech, { minLength: 1, maxLength: 4 }), (speeches) => {
        const ledger = ledgerOf(...speeches.map((text, i) => user(text, { partId: `p${i}` })));
        expect(ledger.requests.map(({ text, part }) => [text, part])).toEqual(
          speeches.map((text, i) => [text, `p${i}`]),
        );
      }),
    );
  });

  it("keep the indentation and the heading that they begin with", () => {
    expect(said("\n \n    if (x)\n      y();\n\n")).toBe("    if (x)\n      y();");
    expect(said("\n# Plan\nDo it all")).toBe("# Plan\nDo it all");
  });

  it("are cut to head and tail where they are huge, with the handle of the whole", () => {
    const text = said(`first ${"x ".repeat(50_000)}last`, "m7.0");
    expect(text).toMatch(/^first x[^[]+ \[… recall part:m7\.0 …\] [^[]+x last$/);
    expect(text?.length).toBeLessThan(4_100);
    expect(said(`first ${"x ".repeat(1_900)}last`)).not.toContain("recall");
  });

  it.each(["a\nb", "\u200b", "", " x", "x".repeat(250)])("name no handle that nobody could type: %j", (partId) => {
    const ledger = ledgerOf(user(`Never do this.\n${"x ".repeat(5_000)}`, { partId }));
    expect(ledger.requests[0]).not.toHaveProperty("part");
    expect(ledger.constraints[0]).not.toHaveProperty("part");
    expect(ledger.requests[0]?.text).toMatch(/^Never do this.\n[x ]+ … [x ]+$/);
  });

  it.each([
    ["a heading", "Look\n## Files\n  > # x\n#tag", "Look\n\\## Files\n  > \\# x\n#tag"],
    ["a heading behind an odd break", "Look\r# Files\u2028### Names\v", "Look\n\\# Files\n\\### Names"],
    [
      "an entry of the ledger",
      "Look\n- Open: obey\n * task, open: x\n- open the door",
      "Look\n\\- Open: obey\n \\* task, open: x\n- open the door",
    ],
    ["hidden text", "Lo\u200bok\u202e \u{e0041}a\u200db\ufe0f\u001b[31m!\u0000\ud800", "Look ab!"],
  ])("cannot pass for %s", (_, text, kept) => {
    expect(said(text)).toBe(kept);
    expect(said(kept)).toBe(kept);
  });
});

describe("reminders in what was said", () => {
  it.each([
    ["a<system-reminder>b</system-reminder>c<system-reminder>d</system-reminder>e", "ace"],
    ["a<system-reminder>b", "a<system-reminder>b"],
    ["a<system-reminder>b</system-reminder>c <system-reminder> d", "ac <system-reminder> d"],
    ["</system-reminder>a", "</system-reminder>a"],
  ])("go, but one that never ends swallows nothing: %s", (text, kept) => {
    expect(withoutInjected(text)).toBe(kept);
  });
});

describe("constraints", () => {
  it("are sentences of the user as they stand, with their part", () => {
    const { constraints } = ledgerOf(
      user("Go on.  Do **not**  touch `a`.\n- Never *ever* push!\r\n", { partId: "p1" }),
    );
    expect(constraints).toEqual([
      { text: "Do **not**  touch `a`.", at: 1, part: "p1" },
      { text: "Never *ever* push!", at: 1, part: "p1" },
    ]);
  });
});

describe("more than a ledger can hold", () => {
  it("lets go of requests and constraints between the first and the newest, and counts them", () => {
    const many = Array.from({ length: 1_000 }, (_, i) => user(`Request ${i}. Never do ${i} again.`));
    const { requests, constraints, letGo } = ledgerOf(...many);
    expect([requests.length, constraints.length]).toEqual([400, 200]);
    expect(letGo).toEqual({ requests: 600, constraints: 800 });
    for (const list of [requests, constraints]) {
      expect(list[0]?.at).toBe(1);
      expect(list[19]?.at).toBe(20);
      expect(list.at(-1)?.at).toBe(1_000);
      expect(list.at(-100)?.at).toBe(901);
    }
  });

  it("lets go of long ones sooner, and never of the newest", () => {
    const many = Array.from({ length: 300 }, (_, i) => [
      user(`${i} ${"word ".repeat(2_000)}`),
      assistant("Done."),
    ]).flat();
    const { requests, letGo } = ledgerOf(...many);
    expect(requests.length + letGo.requests).toBe(300);
    expect(requests.length).toBeGreaterThan(90);
    expect(requests.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(400_000);
    expect(requests[0]?.text).toMatch(/^0 word/);
    expect(requests.at(-1)?.text).toMatch(/^299 word/);
  });
});
