import { describe, expect, it } from "vitest";
import { convertResponsesToRich } from "../convert/openai/openai-responses.ts";
import { convertRichToResponses } from "../convert/openai/write-responses.ts";
import { PROVIDERS } from "../legality-rules.ts";
import { callPart, resultPart, say, windowOf } from "../message.arbitrary.ts";
import { validateWindow } from "../validate-window.ts";
import { repairWindow } from "./repair-window.ts";

const request = (toolCallId: string, approvalId = "p") =>
  ({ type: "tool-approval-request", approvalId, toolCallId }) as const;
const response = (approvalId = "p") => ({ type: "tool-approval-response", approvalId, approved: true }) as const;

describe("repairCallContents", () => {
  it("wraps an input that is not an object and drops its token count", () => {
    const call = { ...callPart("x", "*** Begin Patch"), tokens: 5 };
    const { messages, repairs } = repairWindow(
      windowOf(say("user", "hi"), say("assistant", call), say("tool", resultPart("x"))),
    );
    expect(messages[1]?.parts[0]).toMatchObject({ input: { input: "*** Begin Patch" } });
    expect(messages[1]?.parts[0]).not.toHaveProperty("tokens");
    expect(repairs).toEqual([
      { code: "wrapped-input", messageId: "m1", text: 'wrapped the input of call "x" in an object' },
    ]);
  });

  it("gives a call without input an empty object", () => {
    const { messages } = repairWindow(
      windowOf(say("user", "hi"), say("assistant", callPart("x", null)), say("tool", resultPart("x"))),
    );
    expect(messages[1]?.parts[0]).toMatchObject({ input: {} });
  });

  it("renames a tool in calls and results, and reports it once", () => {
    const toolName = `files.read/${"t".repeat(60)}`;
    const round = (id: string) => [
      say("assistant", { ...callPart(id), toolName }),
      say("tool", { ...resultPart(id), toolName }),
    ];
    const { messages, repairs } = repairWindow(windowOf(say("user", "hi"), ...round("x"), ...round("y")));
    const names = messages.flatMap(({ parts }) => parts.flatMap((part) => ("toolName" in part ? [part.toolName] : [])));
    expect(new Set(names)).toEqual(new Set([`files_read_${"t".repeat(53)}`]));
    expect(repairs.map(({ code, messageId }) => [code, messageId])).toEqual([["renamed-tool", "m1"]]);
  });

  it("keeps the name of a tool that the provider runs", () => {
    const toolName = "mcp.search";
    const call = { ...callPart("x"), toolName, providerExecuted: true };
    const window = windowOf(
      say("user", "hi"),
      say("assistant", call, { ...resultPart("x"), toolName }, "found"),
      say("user", "more"),
      say("assistant", { ...call, toolCallId: "y" }, request("y")),
      say("tool", response()),
    );
    expect(repairWindow(window)).toEqual({ messages: window, repairs: [] });
  });

  it("drops the approval of a call that it changes", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x", "rm"), request("x")),
      say("tool", response()),
    );
    const { messages, repairs } = repairWindow(window);
    for (const provider of PROVIDERS) expect(validateWindow(messages, provider)).toEqual([]);
    expect(JSON.stringify(messages)).not.toContain("approval");
    expect(repairs.map(({ code }) => code)).toEqual([
      "wrapped-input",
      "dropped-approval",
      "dropped-approval",
      "added-result",
    ]);
  });

  it("does not transfer the approval of a changed call to another call", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x"), request("x"), callPart("y", "rm"), request("y")),
      say("tool", response()),
    );
    expect(JSON.stringify(repairWindow(window).messages)).not.toContain("tool-approval-response");
  });

  it("turns an OpenAI custom call, which only takes text, into a function call", () => {
    const window = convertResponsesToRich([
      { role: "user", content: "hi" },
      { type: "custom_tool_call", id: "ctc_1", call_id: "x", name: "apply_patch", input: "*** Begin Patch" },
      { type: "custom_tool_call_output", call_id: "x", output: "Done" },
    ]);
    expect(convertRichToResponses(repairWindow(window).messages).slice(1)).toEqual([
      { type: "function_call", call_id: "x", name: "apply_patch", arguments: '{"input":"*** Begin Patch"}' },
      { type: "function_call_output", call_id: "x", output: "Done" },
    ]);
  });
});
