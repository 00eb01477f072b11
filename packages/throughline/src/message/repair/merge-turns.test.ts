import { describe, expect, it } from "vitest";
import { convertRichToModel } from "../convert/ai-sdk.ts";
import { say, windowOf } from "../message.arbitrary.ts";
import { repairWindow } from "./repair-window.ts";

describe("mergeTurns", () => {
  it("lets what is said, not the reasoning before it, tell where the turn came from", () => {
    const file = {
      type: "file",
      mediaType: "application/pdf",
      data: { type: "reference", reference: { anthropic: "file_1" } },
    } as const;
    const [user, reasoning, said] = windowOf(
      say("user", "hi"),
      say("assistant", { type: "reasoning", text: "hm" }),
      say("assistant", file),
    );
    if (user === undefined || reasoning === undefined || said === undefined) throw new Error("three messages");
    const { messages } = repairWindow([
      user,
      { ...reasoning, provenance: { format: "openai-chat" } },
      { ...said, provenance: { format: "ai-sdk" } },
    ]);
    expect(convertRichToModel(messages)[1]?.content).toMatchObject([{ type: "reasoning" }, { type: "file" }]);
  });

  it("joins 20,000 messages of one side", () => {
    const { messages, repairs } = repairWindow(
      windowOf(...Array.from({ length: 20_000 }, (_, i) => say("user", `u${i}`))),
    );
    expect(messages).toHaveLength(1);
    expect(messages[0]?.parts).toHaveLength(20_000);
    expect(repairs.at(-1)).toMatchObject({ code: "merged", text: "joined with user message m0 before it" });
  });
});
