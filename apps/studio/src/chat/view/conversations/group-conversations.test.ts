import fc from "fast-check";
import type { Conversation } from "throughline/dexie";
import { describe, expect, it } from "vitest";
import { groupConversations } from "./group-conversations.ts";

const conversation = (id: string, updatedAt: number): Conversation => ({
  id,
  title: id,
  createdAt: updatedAt,
  updatedAt,
  sessionId: id,
  branches: [id],
});

/** Wednesday, 18 November 2026, 10:30 where the test runs. */
const now = new Date(2026, 10, 18, 10, 30).getTime();
const at = (month: number, day: number, hour = 12, year = 2026) => new Date(year, month - 1, day, hour).getTime();
const labelOf = (updatedAt: number) => groupConversations([conversation("a", updatedAt)], now)[0]?.label;

describe("groupConversations", () => {
  it.each([
    ["Today", at(11, 18, 0)],
    ["Yesterday", at(11, 17, 23)],
    ["Earlier this week", at(11, 16, 0)],
    ["Last week", at(11, 15, 23)],
    ["Last week", at(11, 9, 0)],
    ["Earlier this month", at(11, 8, 23)],
    ["October", at(10, 31, 23)],
    ["December 2025", at(12, 31, 12, 2025)],
  ])("puts it under %s", (label, updatedAt) => {
    expect(labelOf(updatedAt)).toBe(label);
  });

  it("calls Sunday yesterday on a Monday, and the Saturday before it last week", () => {
    const monday = new Date(2026, 10, 16, 9).getTime();
    const groups = groupConversations([conversation("sat", at(11, 14)), conversation("sun", at(11, 15))], monday);
    expect(groups.map((group) => group.label)).toEqual(["Yesterday", "Last week"]);
  });

  it("lists a conversation from the future under today", () => {
    expect(labelOf(at(11, 25))).toBe("Today");
  });

  it("keeps every conversation once, the latest first across all groups", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: at(1, 1, 0, 2020), max: now })), (times) => {
        const all = times.map((time, index) => conversation(String(index), time));
        const groups = groupConversations(all, now);
        const shown = groups.flatMap((group) => group.conversations.map((one) => one.updatedAt));
        expect(shown).toEqual([...times].sort((a, b) => b - a));
        expect(new Set(groups.map((group) => group.label)).size).toBe(groups.length);
      }),
    );
  });
});
