// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { openStudioTab } from "../../app/studio-tab.fixture.ts";
import { describeSkipped } from "./import-dialog.tsx";

const tab = openStudioTab();

describe("the preview of an import", () => {
  it("counts a repeated line as a duplicate, and explains the other skipped lines", async () => {
    const lines = ["Lives in Porto", "Prefers tea", "Prefers tea", "Card 4111 1111 1111 1111", "What is my name?"];
    const { added, skipped } = await tab.studio.importMemories(lines.join("\n"), { dryRun: true });
    expect(added).toBe(2);
    expect(describeSkipped(skipped)).toEqual({
      duplicates: 1,
      words: ["Line 4: looks like a password, key or card number", "Line 5: a question (“What is my name?”)"],
    });
  });
});
