import { describe, expect, it } from "vitest";
import { CORRECTION_SENTENCES, RULE_SENTENCES } from "../language/rule-markers.fixture.ts";
import { completeMessage, type Message } from "../message/message.ts";
import type { ToolOutput } from "../message/tool-output.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import type { Ledger } from "./ledger.ts";
import { keepRules } from "./reduce-requests.ts";
import { renderLedger } from "./render/render-ledger.ts";
import { readWords } from "./render/render-quotes.ts";
import { isLedger } from "./serialize-ledger.ts";
import { assistant, ledgerOf, user } from "./session.arbitrary.ts";

const textsOf = ({ constraints }: Ledger) => constraints.map(({ text }) => text);
const render = (ledger: Ledger, rules?: number) =>
  renderLedger(ledger, { budget: 4_000, count: countTokens, words: 2_000, ...(rules === undefined ? {} : { rules }) });

/** A call of the shell and its result, as two messages. */
function denied(output: ToolOutput, command = "rm -rf build"): Message[] {
  const call = { toolCallId: "c", toolName: "Bash" } as const;
  return [
    completeMessage({ role: "assistant", parts: [{ type: "tool-call", ...call, input: { command } }] }, 1),
    completeMessage({ role: "tool", parts: [{ type: "tool-result", ...call, output }] }, 2),
  ];
}
const CLIENT_TEXT =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";

describe("rules in a ledger", () => {
  it("are the user's sentences, verbatim and in many languages", () => {
    for (const sentence of RULE_SENTENCES) {
      expect(textsOf(ledgerOf(user(`Go on.\n${sentence}`)))).toContain(sentence);
    }
  });

  it("are no options below a question, and nothing before a question mark", () => {
    const options = "Which one is better?\n1. Always ask at the start.\n2. Never ask again.\n\nNever log the answer.";
    expect(textsOf(ledgerOf(user(options)))).toEqual(["Never log the answer."]);
    const question = "is it always on in future? don't change anything, just tell me";
    expect(textsOf(ledgerOf(user(question)))).toEqual([]);
  });

  it("are no comments of code", () => {
    expect(textsOf(ledgerOf(user("Why this?\n+ // Never happens in normal operation\n+ id = next()")))).toEqual([]);
  });

  it("include corrections of earlier work", () => {
    for (const sentence of CORRECTION_SENTENCES) {
      expect(textsOf(ledgerOf(user("Tidy it up."), assistant("Done."), user(sentence)))).toEqual([sentence]);
    }
    expect(textsOf(ledgerOf(user("Tidy up."), assistant("Done."), user("No. Use tabs.")))).toEqual(["No. Use tabs."]);
    expect(textsOf(ledgerOf(user("No, use the second port.")))).toEqual([]);
  });

  it("are the words after an interruption, in the same message or in the next", () => {
    const stop = "[Request interrupted by user for tool use]";
    const words = "keep the old names in the tests";
    expect(textsOf(ledgerOf(user("Rename it."), user(stop), user(words)))).toEqual([words]);
    const ledger = ledgerOf(user("Rename it."), user(`${stop}\n${words}`));
    expect(textsOf(ledger)).toEqual([words]);
    expect(ledger.requests.map(({ text, state }) => [text, state])).toEqual([
      ["Rename it.", "stopped"],
      [words, "open"],
    ]);
    expect(textsOf(ledgerOf(user("Rename it."), user(stop), user("continue")))).toEqual([]);
    expect(textsOf(ledgerOf(user("Rename it."), user(stop), user("What are you doing there?")))).toEqual([]);
  });

  it("are found in the middle of a long message", () => {
    const filler = "The parser reads a table. ".repeat(800);
    expect(textsOf(ledgerOf(user(`${filler}\nNever rename the table.\n${filler}`)))).toEqual([
      "Never rename the table.",
    ]);
  });

  it("are cut with a handle if one sentence is very long", () => {
    const [rule] = textsOf(ledgerOf(user(`Never ${"touch this or ".repeat(100)}that.`, { partId: "p1" })));
    expect(rule).toMatch(/^Never touch.*\[… recall part:p1 …\].*that\.$/);
  });
});

describe("the reason for a refusal", () => {
  const reason = "keep the build folder, CI needs it";

  it.each<[string, ToolOutput]>([
    ["the output of a denied call", { type: "execution-denied", reason }],
    ["the text of a client", { type: "error-text", value: `${CLIENT_TEXT}${reason}` }],
    ["content blocks", { type: "error-json", value: [{ type: "text", text: `${CLIENT_TEXT}${reason}` }] }],
  ])("is a rule that names what was refused: %s", (_, output) => {
    const ledger = ledgerOf(user("Clean up."), ...denied(output));
    expect(ledger.constraints).toEqual([{ text: reason, refused: "rm -rf build", part: "m2.0", at: 3 }]);
    expect(render(ledger)).toContain(`### Rules\n- Refused \`rm -rf build\`: "${reason}"`);
  });

  it("is taken from the answer to a request for approval, once", () => {
    const parts = [
      { type: "tool-call", toolCallId: "c", toolName: "send_mail", input: {} },
      { type: "tool-approval-request", approvalId: "p", toolCallId: "c" },
    ] as const;
    const response = { type: "tool-approval-response", approvalId: "p", approved: false, reason } as const;
    const result = { type: "tool-result", toolCallId: "c", toolName: "send_mail" } as const;
    const ledger = ledgerOf(
      completeMessage({ role: "assistant", parts }, 1),
      completeMessage({ role: "tool", parts: [response] }, 2),
      completeMessage({ role: "tool", parts: [{ ...result, output: { type: "execution-denied", reason } }] }, 3),
    );
    expect(ledger.constraints).toEqual([{ text: reason, refused: "send_mail", part: "m2.0", at: 2 }]);
  });

  it.each<[string, ToolOutput]>([
    ["a result that did not fail", { type: "text", value: `${CLIENT_TEXT}${reason}` }],
    ["an error that quotes it", { type: "error-text", value: `Exit code 1\n${CLIENT_TEXT}${reason}` }],
    ["a denial without a reason", { type: "execution-denied" }],
    [
      "a client's own text",
      { type: "error-text", value: `${CLIENT_TEXT}The user wants to clarify these questions.\nx` },
    ],
    ["a question", { type: "error-text", value: `${CLIENT_TEXT}what does lint say now?` }],
    ["several questions", { type: "execution-denied", reason: "is it new? do we need a test for it?" }],
    ["a question about a pasted text", { type: "execution-denied", reason: "did it work?\n```\nAll done.\n```" }],
    ["a pause", { type: "execution-denied", reason: "hang on a sec, I'll get you the log" }],
    ["a pasted document", { type: "execution-denied", reason: "```\nNever run the tests.\n```" }],
  ])("is not found in %s", (_, output) => {
    expect(ledgerOf(user("Clean up."), ...denied(output)).constraints).toEqual([]);
  });

  it("survives JSON and a rendered note", () => {
    const ledger = ledgerOf(user("Clean up. Never push."), ...denied({ type: "execution-denied", reason }, "a `b` c"));
    expect(isLedger(JSON.parse(JSON.stringify(ledger)))).toBe(true);
    const read = readWords(render(ledger)).constraints;
    expect(read.map(({ text, refused }) => [text, refused])).toEqual([
      [reason, "a 'b' c"],
      ["Never push.", undefined],
    ]);
  });

  it("names a file by the end of its path", () => {
    const call = { toolCallId: "c", toolName: "Edit" } as const;
    const ledger = ledgerOf(
      user("Clean up."),
      completeMessage(
        {
          role: "assistant",
          parts: [{ type: "tool-call", ...call, input: { file_path: "/home/ana/shop/src/cart.ts" } }],
        },
        1,
      ),
      completeMessage(
        { role: "tool", parts: [{ type: "tool-result", ...call, output: { type: "execution-denied", reason } }] },
        2,
      ),
    );
    expect(render(ledger)).toContain(`- Refused \`Edit src/cart.ts\`: "${reason}"`);
  });

  it("cannot be forged by a sentence", () => {
    const ledger = ledgerOf(user("Refused: never do it here."), user("Correction: never do it there."));
    expect(readWords(render(ledger)).constraints).toEqual([
      { text: "\\Refused: never do it here.", at: 1 },
      { text: "\\Correction: never do it there.", at: 2 },
    ]);
  });
});

describe("the rules of a note", () => {
  const rulesOf = (ledger: Ledger) => /### Rules\n((?:- .*\n?)*)/.exec(render(ledger))?.[1]?.trim().split("\n") ?? [];
  const reason = "keep the build folder, CI needs it";
  const again: Message[] = [
    completeMessage(
      {
        role: "assistant",
        parts: [{ type: "tool-call", toolCallId: "d", toolName: "Bash", input: { command: "rm -rf build" } }],
      },
      1,
    ),
    completeMessage(
      {
        role: "tool",
        parts: [{ type: "tool-result", toolCallId: "d", toolName: "Bash", output: { type: "text", value: "" } }],
      },
      2,
    ),
  ];

  it("are grouped: standing rules, corrections, refusals", () => {
    const ledger = ledgerOf(
      user("Tidy up."),
      ...denied({ type: "execution-denied", reason }),
      user("No, the second port."),
      user("Never push."),
    );
    expect(rulesOf(ledger)).toEqual([
      "- Never push.",
      "- Correction: No, the second port.",
      `- Refused \`rm -rf build\`: "${reason}"`,
    ]);
    expect(readWords(render(ledger)).constraints.map(({ text, kind }) => [text, kind])).toEqual([
      [reason, undefined],
      ["No, the second port.", "correction"],
      ["Never push.", undefined],
    ]);
  });

  it("omit a settled correction that its request shows", () => {
    const said = [user("Tidy up."), assistant("Done with port 1."), user("No, the second port.")] as const;
    const ended = ledgerOf(...said, assistant("It listens on the second port now."));
    expect(rulesOf(ledgerOf(...said))).toEqual(["- Correction: No, the second port."]);
    expect(rulesOf(ended)).toEqual([]);
    expect(render(ended)).toContain("- Answered: No, the second port.");
    expect(rulesOf(ledgerOf(...said, assistant("Sorry."), user("No, the second port."), assistant("Sure.")))).toEqual([
      "- Correction: No, the second port.",
    ]);
  });

  it("have a settled correction if its request is not in the note, or only cut", () => {
    const filler = "The reader reads a table. ".repeat(200);
    const long = user(`${filler}\nI said the second port.\n${filler}`);
    const ledger = ledgerOf(user("Tidy up."), assistant("Done."), long, assistant("It is the second port now."));
    expect(rulesOf(ledger)).toEqual(["- Correction: I said the second port."]);
  });

  it("have no reason for a refusal of a call that was made later, unless the reason is a rule", () => {
    const refusedWith = (words: string) =>
      ledgerOf(
        user("Tidy up."),
        ...denied({ type: "execution-denied", reason: words }),
        ...again,
        assistant("Removed it."),
      );
    expect(rulesOf(refusedWith("first move the logs out of it"))).toEqual([]);
    expect(render(refusedWith("first move the logs out of it"))).toContain("first move the logs out of it");
    expect(rulesOf(refusedWith("never remove the logs"))).toEqual([
      '- Refused `rm -rf build`: "never remove the logs"',
    ]);
    expect(isLedger(JSON.parse(JSON.stringify(refusedWith("first move the logs out of it"))))).toBe(true);
  });
});

describe("too many rules", () => {
  const flood = (label: string, count = 300) =>
    user(Array.from({ length: count }, (_, i) => `Never rename item ${i} of ${label}.`).join("\n"));
  const few = Array.from({ length: 20 }, (_, i) => user(`Always check part ${i} twice.`));

  it("of one message do not push out those of others, in the ledger and in a note", () => {
    const ledger = ledgerOf(...few, flood("a"), flood("b"), user("Never use tabs."));
    const own = [...few.keys()].map((i) => `Always check part ${i} twice.`);
    expect(textsOf(ledger)).toEqual(expect.arrayContaining([...own, "Never use tabs."]));
    expect(ledger.constraints.length).toBe(200);
    expect(ledger.constraints.length + ledger.droppedCounts.constraints).toBe(621);
    const note = render(ledger, 320);
    for (const rule of [...own, "Never use tabs."]) expect(note).toContain(`\n- ${rule}\n`);
    const [section = ""] = /### Rules\n(?:- .*\n)*/.exec(note) ?? [];
    expect(countTokens(section)).toBeLessThanOrEqual(320);
  });

  it("leave the oldest, the newest and those that were repeated", () => {
    const said = Array.from({ length: 300 }, (_, i) => user(`Always check part ${i} twice.`));
    const texts = textsOf(ledgerOf(...said.slice(0, 150), said[70] ?? [], ...said.slice(150)));
    expect(texts).toHaveLength(200);
    for (const i of [0, 50, 70, 250, 299]) expect(texts).toContain(`Always check part ${i} twice.`);
  });

  it("are merged first if they differ only in filler words", () => {
    const rules = ["Never push.", "Please never push.", "Always push.", "never push, please"];
    const list = rules.map((text, at) => ({ text, at }));
    expect(keepRules(list, { count: 4, characters: 1_000 }).rules).toEqual(list);
    expect(keepRules(list, { count: 2, characters: 1_000 })).toEqual({
      rules: [{ text: "Never push.", at: 0, times: 3 }, list[2]],
      dropped: 0,
    });
  });
});
