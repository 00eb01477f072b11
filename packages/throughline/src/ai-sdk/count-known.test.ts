import { describe, expect, it } from "vitest";
import { toRichWindow } from "../message/to-rich-window.ts";
import { beginsWith, countContinued, countKnown } from "./count-known.ts";
import { inView, spokenUnits } from "./spoken-units.ts";

const user = (content: string) => ({ role: "user", content });
const bot = (content: string) => ({ role: "assistant", content });
type Said = readonly { readonly role: string; readonly content: unknown }[];
const unitsOf = (...messages: Said) => spokenUnits(toRichWindow(messages));
const known = (said: Said, list: Said) => countKnown(unitsOf(...said), unitsOf(...list));

describe("how much of a list was said before", () => {
  const said = [user("a"), bot("1"), user("b"), bot("2")];

  it("is all that leads up to the end of what was said", () => {
    expect(known(said, [...said, user("c")])).toBe(4);
    expect(known(said, [user("b"), bot("2"), user("c")])).toBe(2);
    expect(known(said, [bot("2"), user("c")])).toBe(1);
  });

  it("is so too where an application keeps only the first word and the last", () => {
    expect(known(said, [user("a"), bot("2"), user("c")])).toBe(2);
    expect(countContinued(unitsOf(...said), unitsOf(user("a"), user("c")))).toBe(0);
  });

  it("ends where a conversation was edited", () => {
    expect(known(said, [user("a"), bot("1"), user("another"), user("c")])).toBe(2);
  });

  it("is nothing where a single thing in the middle is the same by chance", () => {
    expect(known(said, [user("b"), user("c")])).toBe(0);
    expect(known([], [user("a")])).toBe(0);
    expect(known(said, [])).toBe(0);
  });

  it("never ends within a message that goes on otherwise", () => {
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

describe("what was said, in units", () => {
  it("is the same before and after the SDK makes a prompt of it", () => {
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
    expect(beginsWith(sent, asked)).toBe(true);
    expect(unitsOf(...messages)).toHaveLength(5);
  });
});
