import { describe, expect, it } from "vitest";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { type SessionHead, SessionIndex } from "./session-index.ts";

const head = (sessionId: string, digest = sessionId): SessionHead => ({
  sessionId,
  messages: 1,
  isWhole: true,
  digests: [digest],
});

describe("SessionIndex", () => {
  it("has one entry per session, latest first, within its maximum", async () => {
    const sessionIndex = new SessionIndex(inProcessStore().documents, { space: "user:ada" });
    for (let index = 0; index < 70; index += 1) await sessionIndex.put("page", head(`s${index}`));
    await sessionIndex.put("page", head("s30", "later"));
    const heads = await sessionIndex.heads("page");
    expect(heads).toHaveLength(64);
    expect(heads.slice(0, 2)).toEqual([head("s30", "later"), head("s69")]);
  });

  it("loses nothing with concurrent servers", async () => {
    const { documents } = inProcessStore();
    const sessionIndexes = Array.from({ length: 4 }, () => new SessionIndex(documents, { space: "user:ada" }));
    await Promise.all(
      sessionIndexes.flatMap((sessionIndex, at) =>
        Array.from({ length: 5 }, (_, index) => sessionIndex.put("page", head(`s${at}-${index}`))),
      ),
    );
    expect(await sessionIndexes[0]?.heads("page")).toHaveLength(20);
  });

  it("finds responses by their ids, and has one seed for all servers", async () => {
    const { documents } = inProcessStore();
    const [sessionIndex, other] = [
      new SessionIndex(documents, { space: "user:ada" }),
      new SessionIndex(documents, { space: "user:ada" }),
    ];
    await sessionIndex.putResponse("resp_1", { ...head("s"), page: "p" });
    expect(await other.response("resp_1")).toEqual({ ...head("s"), page: "p" });
    expect(await other.response("resp_2")).toBeUndefined();
    const [one, two] = await Promise.all([sessionIndex.seed(), other.seed()]);
    expect(one).toBe(two);
    const bobs = new SessionIndex(documents, { space: "user:bob" });
    const inProject = new SessionIndex(documents, { space: "user:ada", projectId: "p" });
    for (const another of [bobs, inProject]) {
      expect(await another.seed()).not.toBe(one);
      expect(await another.response("resp_1")).toBeUndefined();
    }
  });

  it("ignores unreadable documents", async () => {
    const { documents } = inProcessStore();
    await documents.put("user:ada", "proxy:heads:page", { revision: 0, value: { heads: [1, { sessionId: 2 }, null] } });
    expect(await new SessionIndex(documents, { space: "user:ada" }).heads("page")).toEqual([]);
  });
});
