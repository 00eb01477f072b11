import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Commit } from "../../ports/workspace.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { changeDocument } from "../change-document.ts";
import { CommitHistory, MAX_COMMITS } from "./history-store.ts";
import { buildIndex } from "./known-uses.ts";
import { noteNews, readSessions, type SessionNews, type SessionUse, writeSessions } from "./session-uses.ts";

const idOf = (at: number): string => (at + 1).toString(16).padStart(40, "0").split("").reverse().join("");

function commit(at: number, files: readonly string[], more: Partial<Commit> = {}): Commit {
  return { id: idOf(at), at: at * 60_000, author: "", subject: "", body: "", files, renames: [], ...more };
}

function historyOf(commits: readonly Commit[], from?: unknown): unknown {
  const history = CommitHistory.read(from);
  for (const one of commits) history.add(one);
  return JSON.parse(JSON.stringify(history.toDocument()));
}

const anyPath = fc.constantFrom("a.ts", "b.ts", "c/d.ts", "c/e.ts", "f.go");
const anyCommits = fc
  .array(
    fc.record({
      files: fc.uniqueArray(anyPath, { maxLength: 4 }),
      rename: fc.option(fc.tuple(anyPath, anyPath), { nil: undefined }),
      removed: fc.uniqueArray(anyPath, { maxLength: 2 }),
    }),
    { maxLength: 25 },
  )
  .map((all) =>
    all.map(({ files, rename, removed }, at) => {
      const renames = rename === undefined ? [] : [{ from: rename[0], to: rename[1] }];
      return commit(at, rename === undefined ? files : [...new Set([...files, rename[1]])], { renames, removed });
    }),
  );

describe("CommitHistory", () => {
  it("is the same if learned at once or in steps with storage in between", () => {
    fc.assert(
      fc.property(anyCommits, fc.array(fc.nat(25), { maxLength: 3 }), (commits, cuts) => {
        const places = [...cuts, commits.length].sort((a, b) => a - b);
        let [kept, from]: [unknown, number] = [undefined, 0];
        for (const to of places) {
          kept = historyOf(commits.slice(from, to), kept);
          from = to;
        }
        expect(kept).toEqual(historyOf(commits));
      }),
    );
  });

  it("follows a renamed file, even if the new name was used before", () => {
    const history = CommitHistory.read(
      historyOf([
        commit(0, ["old.ts", "x.ts"]),
        commit(1, ["new.ts", "y.ts"]),
        commit(2, ["new.ts"], { renames: [{ from: "old.ts", to: "new.ts" }] }),
      ]),
    );
    const named = history.commits.map(({ files }) => files.map((file) => history.pathOf(file)));
    expect(named).toEqual([["new.ts", "x.ts"], ["new.ts", "y.ts"], ["new.ts"]]);
  });

  it("tracks deleted files until they are added again", () => {
    const gone = [commit(0, ["a.ts", "b.ts"]), commit(1, ["b.ts"], { removed: ["a.ts"] })];
    expect(CommitHistory.read(historyOf(gone)).gone).toEqual(["a.ts"]);
    expect(CommitHistory.read(historyOf([...gone, commit(2, ["a.ts"])])).gone).toEqual([]);
  });

  it("keeps the newest commits and only their paths", () => {
    const many = Array.from({ length: MAX_COMMITS + 50 }, (_, at) => commit(at, [`f${at}.ts`, "all.ts"]));
    const document = historyOf(many) as { commits: unknown[]; files: string[]; head: string };
    expect(document.commits).toHaveLength(MAX_COMMITS);
    expect(document.files).toHaveLength(MAX_COMMITS + 1);
    expect(document.files).not.toContain("f0.ts");
    expect(document.head).toBe(idOf(MAX_COMMITS + 49));
    expect(historyOf(many.slice(100), historyOf(many.slice(0, 100)))).toEqual(document);
  });

  it("keeps the names of a huge commit, without relations between them", () => {
    const files = Array.from({ length: 3_000 }, (_, at) => `g/${at}.ts`);
    const history = CommitHistory.read(historyOf([commit(0, files), commit(1, ["g/1.ts"])]));
    expect(history.commits[0]).toMatchObject({ isGiant: true });
    const { index } = buildIndex(history, []);
    expect(index.files).toHaveLength(2_000);
    expect(index.baskets).toHaveLength(1);
  });

  it.each([
    undefined,
    null,
    3,
    {},
    { version: 2 },
    { version: 1, files: "x", commits: [] },
    { version: 1, files: [], commits: [3] },
  ])("reads %j as nothing that is known", (value) => {
    expect(CommitHistory.read(value).commits.flatMap(({ files }) => files)).toEqual([]);
  });
});

const news = (at: number, more: Partial<SessionNews> = {}): SessionNews => ({
  sessionId: "s",
  at,
  signals: [],
  memories: [],
  ...more,
});
const noteAll = (all: readonly SessionNews[]): readonly SessionUse[] => all.reduce<readonly SessionUse[]>(noteNews, []);

describe("sessions", () => {
  it("keep files by first use, the last used ones, and the position at which a signal was set", () => {
    const [session] = noteAll([
      news(1, { file: "a.ts" }),
      news(2, { file: "b.ts", signals: ["error x"] }),
      news(3, { file: "a.ts", memories: ["m"] }),
    ]);
    expect(session).toEqual({
      id: "s",
      from: 1,
      to: 3,
      files: ["a.ts", "b.ts"],
      last: ["b.ts", "a.ts"],
      signals: [["error x", 1]],
      memories: ["m"],
    });
  });

  it("are read from the format without last used files", () => {
    const kept = { version: 1, files: ["a.ts", "b.ts"], sessions: [["s", 1, 3, [0, 1], [], []]] };
    expect(readSessions(kept)).toMatchObject([{ id: "s", files: ["a.ts", "b.ts"], last: ["a.ts", "b.ts"] }]);
  });

  it("survive a round trip through storage", () => {
    const anyNews = fc.record({
      sessionId: fc.constantFrom("s", "t", "u"),
      at: fc.nat(1_000),
      file: anyPath,
      signals: fc.array(fc.constantFrom("branch x", "hour 3"), { maxLength: 2 }),
      memories: fc.array(fc.constantFrom("m1", "m2"), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(anyNews, { maxLength: 20 }), (all) => {
        const sessions = noteAll(all);
        expect(readSessions(JSON.parse(JSON.stringify(writeSessions(sessions))))).toEqual(sessions);
      }),
    );
  });

  it("are bounded in number and size; the least recently active one is dropped", () => {
    const many = Array.from({ length: 40 }, (_, at) => news(at, { sessionId: `s${at}`, file: "a.ts" }));
    const kept = noteAll([...many, news(100, { sessionId: "s20", file: "b.ts" }), news(101, { sessionId: "x" })]);
    expect(kept).toHaveLength(24);
    expect(kept.map(({ id }) => id)).toContain("s20");
    expect(kept.map(({ id }) => id)).not.toContain("s10");
    const [long] = noteAll(
      Array.from({ length: 500 }, (_, at) => news(at, { file: `${at}.ts`, signals: [`${at}`], memories: [`${at}`] })),
    );
    expect([long?.files.length, long?.signals.length, long?.memories.length]).toEqual([200, 60, 100]);
  });

  it.each([undefined, 3, { version: 1 }, { version: 1, sessions: [3, ["a"]], files: [] }])(
    "read %j as none",
    (value) => {
      expect(readSessions(value)).toEqual([]);
    },
  );
});

describe("changeDocument", () => {
  it("loses no concurrent writes", async () => {
    const { documents } = inProcessStore();
    const place = { documents, space: "user:ada", name: "n" };
    const add = (value: unknown) => [...((value as number[] | undefined) ?? []), 1];
    await Promise.all(Array.from({ length: 30 }, () => changeDocument(place, add)));
    expect((await documents.get("user:ada", "n"))?.value).toHaveLength(30);
  });
});
