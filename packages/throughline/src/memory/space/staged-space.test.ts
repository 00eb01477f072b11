import { describe, expect, it, vi } from "vitest";
import { wordEmbedder } from "../../embed/word-embedder.ts";
import { QUIET } from "../../ports/logger.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { SearchSpaces } from "../search/search-spaces.ts";
import { StagedSpace } from "./staged-space.ts";

describe("a space with staged changes", () => {
  it("reads again after a read that failed", async () => {
    const { memories } = inProcessStore();
    const clock = { now: () => 0 };
    const embedder = wordEmbedder();
    const context = { userId: "ann", projectId: undefined, model: undefined, embedder, clock, logger: QUIET };
    const space = new StagedSpace(memories, "user:ann");
    vi.spyOn(memories, "list").mockRejectedValueOnce(new Error("Locked."));
    await expect(space.list("memories", { current: true })).rejects.toThrow("Locked.");
    expect(await space.list("memories", { current: true })).toEqual([]);
    const search = new SearchSpaces({ ...context, memoryStore: memories });
    vi.spyOn(search, "open").mockRejectedValueOnce(new Error("Locked."));
    const question = { text: "database", now: 0 };
    await expect(space.similar(search, question, 5)).rejects.toThrow("Locked.");
    expect(await space.similar(search, question, 5)).toEqual([]);
  });
});
