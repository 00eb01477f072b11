import type { MemoryFact } from "throughline/chat";
import { beforeAll, describe, expect, it } from "vitest";
import { languageChoice } from "../../app/device-settings.ts";
import { describeSource, titlesById } from "./describe-source.ts";

const seen = new Date(2026, 10, 3, 12).getTime();
const now = new Date(2026, 10, 15, 12).getTime();
const titles = titlesById([
  { id: "c1", title: "Trip", createdAt: 1, updatedAt: 1, sessionId: "c1~2", branches: ["c1", "c1~2"] },
]);

function factFrom(lastSeenConversationId: string, lastSeen = seen): MemoryFact {
  const rest = { category: "identity", confidence: 0.75, mentionCount: 1, firstSeen: 1, pinned: false } as const;
  return { id: "f1", fact: "Vegetarian", lastSeenConversationId, lastSeen, ...rest };
}

beforeAll(() => languageChoice.choose("en-GB"));

describe("the source of a memory", () => {
  it("is its conversation with the day, also for another branch", () => {
    const source = { words: "From “Trip”", short: "Trip", day: "3 Nov", canJump: true };
    expect(describeSource(factFrom("c1"), titles, now)).toEqual(source);
    expect(describeSource(factFrom("c1~2"), titles, now)).toEqual(source);
  });

  it("has the year where it is another one", () => {
    const before = new Date(2025, 1, 9, 12).getTime();
    expect(describeSource(factFrom("c1", before), titles, now).day).toBe("9 Feb 2025");
  });

  it("is the import for a pasted memory", () => {
    const source = { words: "Imported", short: "Imported", day: "3 Nov", canJump: false };
    expect(describeSource(factFrom("pasted"), titles, now)).toEqual(source);
  });

  it("is the user for a manual memory, and has no link if the conversation is deleted", () => {
    expect(describeSource(factFrom(""), titles, now)).toMatchObject({ words: "Added by you", day: "3 Nov" });
    expect(describeSource(factFrom("c9"), titles, now)).toMatchObject({ words: "Deleted chat", canJump: false });
  });

  it("is shortened after a whole word, and has its day in the user's language", () => {
    const long = new Map([["c1", "Where do I live, and what does that mean for my roof garden app?"]]);
    languageChoice.choose("de");
    const source = describeSource(factFrom("c1"), long, now);
    languageChoice.choose("en-GB");
    expect(source).toMatchObject({ short: "Where do I live, and what does that…", day: "3. Nov." });
  });
});
