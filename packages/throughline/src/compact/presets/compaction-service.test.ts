import { describe, expect, it } from "vitest";
import { callPart, resultPart, say, windowOf } from "../../message/message.arbitrary.ts";
import { CompactionService } from "./compaction-service.ts";

const turns = Array.from({ length: 8 }, (_, i) => [
  say("user", `Question ${i}`),
  say("assistant", callPart(`c${i}`, { file_path: `/src/f${i}.ts` })),
  say("tool", resultPart(`c${i}`, "word ".repeat(600))),
  say("assistant", `Answer ${i}`),
]).flat();

describe("CompactionService", () => {
  it("keeps the task, a summary and the last turns", async () => {
    const result = await new CompactionService().compact(windowOf(...turns), { minTurnsToKeep: 2 });
    expect(result.summaryMessage).toMatchObject({ role: "assistant", isSummary: true });
    const text = JSON.stringify(result.messages);
    for (const kept of ["Question 0", "/src/f3.ts", "Question 6", "Question 7", "Answer 7"])
      expect(text).toContain(kept);
    expect(result.messages.map(({ role }) => role).slice(0, 3)).toEqual(["user", "assistant", "user"]);
    expect(result.messagesCompacted).toBe(23);
    expect(result.tokensSaved).toBeGreaterThan(2_000);
  });

  it("returns a list unchanged if there is nothing to summarize", async () => {
    const messages = windowOf(say("user", "Hello"));
    expect(await new CompactionService().compact(messages)).toEqual({
      summaryMessage: undefined,
      messages,
      messagesCompacted: 0,
      tokensSaved: 0,
    });
  });
});
