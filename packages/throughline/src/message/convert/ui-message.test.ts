import { convertToModelMessages, type ModelMessage, type UIMessage } from "ai";
import * as v6 from "ai-v6";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { convertRichToModel } from "./ai-sdk.ts";
import type { Loss } from "./conversion.ts";
import { uiMessages } from "./ui-message.arbitrary.ts";
import { convertUiToRich } from "./ui-message.ts";

type Fields = Record<string, unknown>;

function ours(ui: readonly UIMessage[]): unknown[] {
  return convertRichToModel(convertUiToRich(ui)).map(means);
}

/** Messages as the AI SDK converts them, without empty messages, which we drop on purpose. */
function theirs(messages: readonly (ModelMessage | v6.ModelMessage)[]): unknown[] {
  return messages.filter((message) => message.content.length > 0 || message.role === "system").map(means);
}

/** A message without equivalent differences in form. */
function means(message: { role: string; content: unknown }): unknown {
  if (!Array.isArray(message.content)) return message;
  return { ...message, content: message.content.map(meansPart) };
}

function meansPart(part: Fields): Fields {
  if (part.type === "file" || part.type === "reasoning-file") return { ...part, data: place(part.data) };
  if (part.type === "tool-call") return { ...part, input: part.input === undefined ? {} : part.input };
  if (part.type !== "tool-result") return part;
  return { ...part, output: denial(part.output as Fields) };
}

/** A URL has three equivalent forms: string, object and tagged. */
function place(data: unknown): unknown {
  if (data instanceof URL) return data.href;
  const { type, url, reference } = Object(data) as Fields;
  return type === "url" ? place(url) : type === "reference" ? reference : data;
}

/** We keep a denial; the AI SDK turns a recorded denial into an error. */
function denial(output: Fields): Fields {
  if (output.type !== "execution-denied") return output;
  return { type: "error-text", value: output.reason ?? "Tool call execution denied." };
}

describe("convertUiToRich", () => {
  it("matches the SDK's conversion in version 7, except for overtaken approval requests", async () => {
    await fc.assert(
      fc.asyncProperty(uiMessages(7), async (ui) => {
        const open = ui.slice(ui.findLastIndex((message) => message.role === "user") + 1);
        const before = ui.slice(0, ui.length - open.length).map(withoutRequests);
        expect(ours([...before, ...open])).toEqual(theirs(await convertToModelMessages([...before, ...open])));
      }),
      { numRuns: cases(200) },
    );
  });

  it("matches the SDK's conversion in version 6, except for denials that are not recorded yet", async () => {
    await fc.assert(
      fc.asyncProperty(uiMessages(6), async (ui) => {
        const noted = ui.map(withoutOpenDenials);
        expect(ours(noted)).toEqual(theirs(await v6.convertToModelMessages(noted as v6.UIMessage[])));
      }),
      { numRuns: cases(200) },
    );
  });
});

describe("the output of a removed tool", () => {
  it("is kept, although the SDK would drop it", () => {
    const part = { type: "dynamic-tool", toolName: "gone", dynamic: false, toolCallId: "c", state: "output-available" };
    const ui = [{ id: "m", role: "assistant", parts: [{ ...part, input: {}, output: { found: 3 } }] }];
    const [, result] = convertUiToRich(ui);
    expect(result?.parts).toMatchObject([{ type: "tool-result", output: { type: "json", value: { found: 3 } } }]);
  });
});

function without(message: UIMessage, isLeftOut: (part: Fields) => boolean): UIMessage {
  return { ...message, parts: message.parts.filter((part) => !isLeftOut(part as Fields)) };
}

function withoutRequests(message: UIMessage): UIMessage {
  return without(message, (part) => part.state === "approval-requested");
}

/** Version 6 does not know removed tools with marks, nor approval fields other than the signature. */
function withoutOpenDenials(message: UIMessage): UIMessage {
  return without(message, (part) => {
    const approval = Object(part.approval) as Fields;
    const isNew = "requestReason" in approval || "isAutomatic" in approval || part.dynamic === false;
    return isNew || (part.state === "approval-responded" && approval.approved === false);
  });
}

describe("intended differences", () => {
  const read = (parts: unknown[], role = "assistant") =>
    convertUiToRich([{ id: "m", role, parts }]).map((message) => ({ role: message.role, parts: message.parts }));

  it("keeps a call with incomplete input without sending it", () => {
    const part = { type: "tool-read", toolCallId: "a", state: "input-streaming", input: { pa: 1 }, rawInput: '{"pa' };
    const losses: Loss[] = [];
    const rich = convertUiToRich([{ id: "m", role: "assistant", parts: [part, { type: "text", text: "hm" }] }]);
    expect(rich[0]?.parts[0]).toMatchObject({ type: "opaque", format: "ai-sdk-ui", value: part });
    expect(convertRichToModel(rich, { onLoss: (loss) => losses.push(loss) })).toEqual([
      { role: "assistant", content: [{ type: "text", text: "hm" }] },
    ]);
    expect(losses.map((loss) => loss.place)).toEqual([{ message: 0, part: 0 }]);
  });

  it("keeps an unanswered approval request for repairWindow", () => {
    const part = { type: "tool-read", toolCallId: "a", state: "approval-requested", input: {}, approval: { id: "p" } };
    const ui = [
      { id: "1", role: "user", parts: [{ type: "text", text: "a" }] },
      { id: "2", role: "assistant", parts: [part] },
      { id: "3", role: "user", parts: [{ type: "text", text: "b" }] },
    ];
    expect(convertUiToRich(ui)[1]?.parts.map(({ type }) => type)).toEqual(["tool-call", "tool-approval-request"]);
  });

  it("reports a denied call as denied, not as failed", () => {
    const approval = { id: "p", approved: false, reason: "no" };
    const [, tool] = read([{ type: "tool-read", toolCallId: "a", state: "output-denied", input: {}, approval }]);
    expect(tool?.parts).toMatchObject([
      { type: "tool-approval-response", approved: false, reason: "no" },
      { type: "tool-result", output: { type: "execution-denied", reason: "no" } },
    ]);
  });

  it("writes no message without content", () => {
    const rich = convertUiToRich([{ id: "m", role: "user", parts: [{ type: "data-weather", data: 1 }] }]);
    expect(rich[0]?.parts).toMatchObject([{ type: "opaque", value: { type: "data-weather", data: 1 } }]);
    expect(convertRichToModel(rich)).toEqual([]);
  });
});

describe("converted UI messages", () => {
  it("have messages per step, with ids that name their origin", () => {
    const tool = { type: "tool-read", toolCallId: "a", state: "output-available", input: {}, output: "ok" };
    const parts = [{ type: "step-start" }, tool, { type: "step-start" }, { type: "text", text: "done" }];
    const rich = convertUiToRich([{ id: "m", role: "assistant", parts, metadata: { at: 1 } }], "s");
    expect(rich.map(({ id, role }) => `${id} ${role}`)).toEqual(["m assistant", "m#1 tool", "m#2 assistant"]);
    expect(rich[0]).toMatchObject({ sessionId: "s", foreign: { fields: { metadata: { at: 1 } } } });
    expect(rich[1]?.provenance).toEqual({ format: "ai-sdk-ui", id: "m" });
  });

  it("keep the signature of an approval and both reasons", () => {
    const approval = {
      id: "p",
      approved: true,
      reason: "fine",
      requestReason: "writes",
      signature: "s",
      isAutomatic: false,
    };
    const part = { type: "tool-read", toolCallId: "a", state: "approval-responded", input: { x: 1 }, approval };
    expect(convertRichToModel(convertUiToRich([{ id: "m", role: "assistant", parts: [part] }]))).toEqual([
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "a", toolName: "read", input: { x: 1 } },
          {
            type: "tool-approval-request",
            approvalId: "p",
            toolCallId: "a",
            signature: "s",
            reason: "writes",
            isAutomatic: false,
          },
        ],
      },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "p", approved: true, reason: "fine" }] },
    ]);
  });
});
