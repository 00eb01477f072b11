import { describe, expect, it } from "vitest";
import { type DraftStorage, Drafts } from "./drafts.ts";

function storageOf(kept: Map<string, string>): DraftStorage {
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const kept = { isTemporary: false };

describe("Drafts", () => {
  it("keeps one draft per conversation, also for the next page of the tab", () => {
    const storage = storageOf(new Map());
    const drafts = new Drafts(storage);
    drafts.write("a", "for a", kept);
    drafts.write("b", "for b", kept);
    const next = new Drafts(storage);
    expect([next.read("a"), next.read("b"), next.read("c")]).toEqual(["for a", "for b", ""]);
  });

  it("leaves nothing behind when a draft was sent", () => {
    const stored = new Map<string, string>();
    const drafts = new Drafts(storageOf(stored));
    drafts.write("a", "x", kept);
    drafts.write("a", "", kept);
    expect([drafts.read("a"), stored.size]).toEqual(["", 0]);
  });

  it("removes the sent text, and nothing that was typed since", () => {
    const stored = new Map<string, string>();
    const drafts = new Drafts(storageOf(stored));
    drafts.write("a", "sent", kept);
    drafts.take("a", "sent");
    expect([drafts.read("a"), stored.size]).toEqual(["", 0]);
    drafts.write("a", "next", kept);
    drafts.take("a", "sent");
    expect(drafts.read("a")).toBe("next");
  });

  it("stores nothing of a temporary chat", () => {
    const stored = new Map<string, string>();
    const drafts = new Drafts(storageOf(stored));
    drafts.write("t", "secret", { isTemporary: true });
    expect([drafts.read("t"), stored.size]).toEqual(["secret", 0]);
  });

  it("keeps a draft in the page if storage is full, forbidden or missing", () => {
    const refuse = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    for (const storage of [undefined, { getItem: refuse, setItem: refuse, removeItem: refuse }]) {
      const drafts = new Drafts(storage);
      drafts.write("a", "still here", kept);
      expect(drafts.read("a")).toBe("still here");
    }
  });
});
