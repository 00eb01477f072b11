import { describe, expect, it } from "vitest";
import { inProcessStore } from "../../../throughline/src/store/in-process.ts";
import { SessionBook, type SessionHead } from "./session-index.ts";

const head = (sessionId: string, digest = sessionId): SessionHead => ({
  sessionId,
  messages: 1,
  isWhole: true,
  digests: [digest],
});

describe("SessionBook", () => {
  it("notes one place for each session, the latest first, and no more than it has room for", async () => {
    const book = new SessionBook(inProcessStore().documents, { space: "user:ada" });
    for (let index = 0; index < 70; index += 1) await book.put("page", head(`s${index}`));
    await book.put("page", head("s30", "later"));
    const heads = await book.heads("page");
    expect(heads).toHaveLength(64);
    expect(heads.slice(0, 2)).toEqual([head("s30", "later"), head("s69")]);
  });

  it("loses nothing where several servers write at once", async () => {
    const { documents } = inProcessStore();
    const books = Array.from({ length: 4 }, () => new SessionBook(documents, { space: "user:ada" }));
    await Promise.all(
      books.flatMap((book, at) => Array.from({ length: 5 }, (_, index) => book.put("page", head(`s${at}-${index}`)))),
    );
    expect(await books[0]?.heads("page")).toHaveLength(20);
  });

  it("finds answers by their ids, and has one seed for all servers", async () => {
    const { documents } = inProcessStore();
    const [book, other] = [
      new SessionBook(documents, { space: "user:ada" }),
      new SessionBook(documents, { space: "user:ada" }),
    ];
    await book.putResponse("resp_1", { ...head("s"), page: "p" });
    expect(await other.response("resp_1")).toEqual({ ...head("s"), page: "p" });
    expect(await other.response("resp_2")).toBeUndefined();
    const [one, two] = await Promise.all([book.seed(), other.seed()]);
    expect(one).toBe(two);
    const bobs = new SessionBook(documents, { space: "user:bob" });
    const inProject = new SessionBook(documents, { space: "user:ada", projectId: "p" });
    for (const another of [bobs, inProject]) {
      expect(await another.seed()).not.toBe(one);
      expect(await another.response("resp_1")).toBeUndefined();
    }
  });

  it("takes what it cannot read for nothing", async () => {
    const { documents } = inProcessStore();
    await documents.put("user:ada", "proxy:heads:page", { revision: 0, value: { heads: [1, { sessionId: 2 }, null] } });
    expect(await new SessionBook(documents, { space: "user:ada" }).heads("page")).toEqual([]);
  });
});
