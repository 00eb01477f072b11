import { describe, expect, it } from "vitest";
import { convertRichToModel } from "../convert/ai-sdk.ts";
import { FOREIGN_FORMATS, opaquePartOf, say, windowOf } from "../message.arbitrary.ts";
import { repairWindow } from "./repair-window.ts";

describe("dropEmpty", () => {
  it("drops a message of parts that the AI SDK does not take, and says so", () => {
    for (const format of FOREIGN_FORMATS.filter((name) => name !== "ai-sdk")) {
      const window = windowOf(say("user", "a"), say("assistant", opaquePartOf(format)), say("user", "b"));
      const { messages, repairs } = repairWindow(window);
      expect(convertRichToModel(messages).map(({ role }) => role)).toEqual(["user"]);
      expect(repairs.map(({ code, messageId }) => [code, messageId])).toEqual([
        ["dropped-empty", "m1"],
        ["merged", "m2"],
      ]);
    }
  });

  it("keeps a part of the AI SDK's, and any part beside something that is sent", () => {
    const window = windowOf(
      say("user", "a"),
      say("assistant", opaquePartOf("ai-sdk")),
      say("user", "b", opaquePartOf("anthropic")),
    );
    expect(repairWindow(window)).toEqual({ messages: window, repairs: [] });
  });

  it("names a file that only another provider has when its message says nothing else", () => {
    const file = {
      type: "file",
      mediaType: "application/pdf",
      filename: "a.pdf",
      data: { type: "reference", reference: { anthropic: "file_1" } },
    } as const;
    const window = windowOf(say("user", file)).map((message) => ({
      ...message,
      provenance: { format: "anthropic" as const },
    }));
    const { messages, repairs } = repairWindow(window);
    expect(messages[0]?.parts).toMatchObject([
      { type: "file" },
      { type: "text", text: "[File a.pdf application/pdf]" },
    ]);
    expect(repairs.map(({ code }) => code)).toEqual(["told-as-text"]);
  });

  it("reports in the order of the messages", () => {
    const window = windowOf(say("user", "a", " "), say("assistant"), say("user", " "), say("assistant", "b", ""));
    const { messages, repairs } = repairWindow(window);
    expect(repairs.map(({ messageId }) => messageId)).toEqual(["m0", "m1", "m2", "m3"]);
    expect(messages.map(({ id }) => id)).toEqual(["m0", "m3"]);
  });

  it("drops the count of a message that it takes a text from", () => {
    const window = windowOf(say("user", "a", "")).map((message) => ({ ...message, tokens: 9 }));
    expect(repairWindow(window).messages[0]).not.toHaveProperty("tokens");
  });
});
