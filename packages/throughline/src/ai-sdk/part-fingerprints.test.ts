import { describe, expect, it } from "vitest";
import { toRichWindow } from "../message/to-rich-window.ts";
import { countContinued, countKnown, fingerprintParts, inView, startsWithAll } from "./part-fingerprints.ts";

const user = (content: string) => ({ role: "user", content });
const bot = (content: string) => ({ role: "assistant", content });
type Said = readonly { readonly role: string; readonly content: unknown }[];
const unitsOf = (...messages: Said) => fingerprintParts(toRichWindow(messages));
const known = (said: Said, list: Said) => countKnown(unitsOf(...said), unitsOf(...list));

describe("countKnown", () => {
  const said = [user("a"), bot("1"), user("b"), bot("2")];

  it("counts everything up to the last appended part", () => {
    expect(known(said, [...said, user("c")])).toBe(4);
    expect(known(said, [user("b"), bot("2"), user("c")])).toBe(2);
    expect(known(said, [bot("2"), user("c")])).toBe(1);
  });

  it("also counts if an application keeps only the first and the last message", () => {
    expect(known(said, [user("a"), bot("2"), user("c")])).toBe(2);
    expect(countContinued(unitsOf(...said), unitsOf(user("a"), user("c")))).toBe(0);
  });

  it("stops at an edited message", () => {
    expect(known(said, [user("a"), bot("1"), user("another"), user("c")])).toBe(2);
  });

  it("ignores a single match in the middle", () => {
    expect(known(said, [user("b"), user("c")])).toBe(0);
    expect(known([], [user("a")])).toBe(0);
    expect(known(said, [])).toBe(0);
  });

  it("never stops inside a message that continues differently", () => {
    const call = (id: string) => ({ type: "tool-call", toolCallId: id, toolName: "read", input: {} });
    const look = { type: "text", text: "Let me look." };
    const step = (id: string) => [
      { role: "assistant", content: [look, call(id)] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: id, toolName: "read", output: { type: "text", value: id } }],
      },
    ];
    expect(known([user("a"), ...step("x")], step("y"))).toBe(0);
    expect(known([user("a"), ...step("x")], [...step("x"), ...step("y")])).toBe(3);
  });
});

describe("fingerprintParts", () => {
  it("gives the same result before and after the SDK builds a prompt", () => {
    const messages = [
      user("Look."),
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "" },
          { type: "tool-call", toolCallId: "x", toolName: "rm", input: {} },
          { type: "tool-approval-request", approvalId: "p", toolCallId: "x" },
        ],
      },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "p", approved: true }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "x", toolName: "rm", output: { type: "text", value: "ok" } }],
      },
    ];
    const prompt = [
      { role: "user", content: [{ type: "text", text: "Look." }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm" },
          { type: "tool-call", toolCallId: "x", toolName: "rm", input: {} },
        ],
      },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "x", toolName: "rm", output: { type: "text", value: "masked" } }],
      },
    ];
    const [asked, sent] = [inView(unitsOf(...messages), "prompt"), inView(unitsOf(...prompt), "prompt")];
    expect(asked.map(({ key }) => key)).toEqual(sent.map(({ key }) => key));
    expect(startsWithAll(sent, asked)).toBe(true);
    expect(unitsOf(...messages)).toHaveLength(5);
  });
});
