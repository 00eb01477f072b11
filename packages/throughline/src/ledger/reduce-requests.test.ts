import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ledger } from "./ledger.ts";
import { withoutInjected } from "./quoted/user-words.ts";
import { reduceLedger } from "./reduce-ledger.ts";
import { anySpeech, assistant, ledgerOf, tool, user } from "./session.arbitrary.ts";

const textsOf = (ledger: Ledger) => ledger.requests.map(({ text }) => text);
const said = (text: string, partId?: string) =>
  textsOf(ledgerOf(user(text, partId === undefined ? {} : { partId })))[0];

describe("the words of a request", () => {
  it("are kept byte for byte with line breaks and part id", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anySpeech, { minLength: 1, maxLength: 4 }), (speeches) => {
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

  it("are cut to head and tail if they are huge, with a handle", () => {
    const text = said(`first ${"x ".repeat(50_000)}last`, "m7.0");
    expect(text).toMatch(/^first x[^[]+ \[… recall part:m7\.0 …\] [^[]+x last$/);
    expect(text?.length).toBeLessThan(4_100);
    expect(said(`first ${"x ".repeat(1_900)}last`)).not.toContain("recall");
  });

  it.each(["a\nb", "\u200b", "", " x", "x".repeat(250)])(
    "have no handle with characters that cannot be typed: %j",
    (partId) => {
      const ledger = ledgerOf(user(`Never do this.\n${"x ".repeat(5_000)}`, { partId }));
      expect(ledger.requests[0]).not.toHaveProperty("part");
      expect(ledger.constraints[0]).not.toHaveProperty("part");
      expect(ledger.requests[0]?.text).toMatch(/^Never do this.\n[x ]+ … [x ]+$/);
    },
  );

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

describe("an interrupted request", () => {
  const stops = [
    user("[Request interrupted by user for tool use]"),
    user("[Request interrupted by user]", { synthetic: true }),
    user("Operation stopped by hook: another session has uncommitted changes", { synthetic: true }),
    user("<turn_aborted>\nThe user interrupted the turn.\n</turn_aborted>", { synthetic: true }),
  ];

  it("counts once if it is sent again, despite client messages in between", () => {
    for (const stop of stops) {
      const first = ledgerOf(user("Fix the date parser"), stop);
      expect(first.requests).toMatchObject([{ state: "stopped" }]);
      const again = [user("Fix the date parser"), assistant("The parser now reads leap days.")];
      expect(again.reduce(reduceLedger, first).requests).toMatchObject([
        { text: "Fix the date parser", at: 1, state: "answered" },
      ]);
    }
  });

  it("is replaced by its next version if no work was done for it", () => {
    const stop = user("[Request interrupted by user]");
    const next = user("Fix the date parser, and only for leap days");
    expect(textsOf(ledgerOf(user("Fix the date parser"), stop, next))).toEqual([
      "Fix the date parser, and only for leap days",
    ]);
    expect(textsOf(ledgerOf(user("Fix the date parser"), stop, user("Fix the old date parser")))).toHaveLength(1);
    const edit = tool("Edit", { file_path: "/app/dates.ts" });
    expect(textsOf(ledgerOf(user("Fix the date parser"), edit, stop, next))).toHaveLength(2);
    expect(textsOf(ledgerOf(user("Fix the date parser"), stop, user("First run the tests")))).toHaveLength(2);
  });

  it("counts twice if it was answered in between", () => {
    const twice = [user("Check it again"), assistant("Both files are fine."), user("Check it again")];
    expect(textsOf(ledgerOf(...twice))).toHaveLength(2);
  });

  it("does not repeat its rules", () => {
    const ledger = ledgerOf(
      user("Never push to main"),
      user("[Request interrupted by user]"),
      user("Never push to main"),
    );
    expect(ledger.constraints).toMatchObject([{ text: "Never push to main" }]);
    expect(ledger.constraints[0]).not.toHaveProperty("times");
  });
});

describe("a slash command", () => {
  const command = (args: string) =>
    `<command-message>review</command-message>\n<command-name>/team:review</command-name>${args}`;

  it("is a request with its arguments, verbatim", () => {
    const args = "<command-args>pull request 12\nDo not push.</command-args>";
    const ledger = ledgerOf(user(command(`\n${args}`)));
    expect(textsOf(ledger)).toEqual(["/team:review pull request 12\nDo not push."]);
    expect(ledger.constraints).toMatchObject([{ text: "Do not push." }]);
    expect(said(command(""))).toBe("/team:review");
  });

  it("is no request without arguments and effects", () => {
    const reply = assistant("The parser drops the last line.");
    expect(textsOf(ledgerOf(user("Fix it"), assistant("Done."), user("/ide"), assistant("Done.")))).toEqual(["Fix it"]);
    expect(textsOf(ledgerOf(user("/review"), reply))).toEqual(["/review"]);
  });

  it("is not the command of a client, which begins with its name", () => {
    const text = "<command-name>/compact</command-name>\n<command-message>compact</command-message>";
    expect(textsOf(ledgerOf(user(`${text}\n<command-args>keep the dates</command-args>`)))).toEqual([]);
  });
});

describe("reminders in user messages", () => {
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
  it("are verbatim sentences of the user, with their part id", () => {
    const { constraints } = ledgerOf(
      user("Go on.  Do **not**  touch `a`.\n- Never *ever* push!\r\n", { partId: "p1" }),
    );
    expect(constraints).toEqual([
      { text: "Do **not**  touch `a`.", at: 1, part: "p1" },
      { text: "Never *ever* push!", at: 1, part: "p1" },
    ]);
  });
});

describe("a ledger at its size limit", () => {
  it("drops and counts requests and constraints between the first and the newest", () => {
    const many = Array.from({ length: 1_000 }, (_, i) => user(`Request ${i}. Never do ${i} again.`));
    const { requests, constraints, droppedCounts } = ledgerOf(...many);
    expect([requests.length, constraints.length]).toEqual([400, 200]);
    expect(droppedCounts).toEqual({ requests: 600, constraints: 800 });
    for (const list of [requests, constraints]) {
      expect(list[0]?.at).toBe(1);
      expect(list[19]?.at).toBe(20);
      expect(list.at(-1)?.at).toBe(1_000);
      expect(list.at(-100)?.at).toBe(901);
    }
  });

  it("drops long ones first, and never the newest", () => {
    const many = Array.from({ length: 300 }, (_, i) => [
      user(`${i} ${"word ".repeat(2_000)}`),
      assistant("Done."),
    ]).flat();
    const { requests, droppedCounts } = ledgerOf(...many);
    expect(requests.length + droppedCounts.requests).toBe(300);
    expect(requests.length).toBeGreaterThan(90);
    expect(requests.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(400_000);
    expect(requests[0]?.text).toMatch(/^0 word/);
    expect(requests.at(-1)?.text).toMatch(/^299 word/);
  });
});
