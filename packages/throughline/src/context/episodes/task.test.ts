import { describe, expect, it } from "vitest";
import { findArtifacts, findCommits, recordOf, unique } from "./task.ts";

describe("artifacts", () => {
  it("include commits in git output", () => {
    const printed = [
      "[main (root-commit) 1a2b3c4] initial",
      "[feature/x 5d6e7f8a9b0c1d2e] fix(auth): compare in UTC",
      "[detached HEAD 9f8e7d6] wip",
      " [main 0c1d2e3] indented",
      "see [main 7777777] not at the start",
    ].join("\n");
    expect(findCommits(printed).map(({ id }) => id)).toEqual(["1a2b3c4", "5d6e7f8a9b0c", "9f8e7d6", "0c1d2e3"]);
  });

  it("include pull requests and decision records in a text, each once", () => {
    const text = "PR #12 (https://github.com/ada/shop/pull/12) follows ADR-012 and ADR 12; see MR #3 and #99.";
    expect(findArtifacts(text)).toEqual([
      { type: "pr", ref: "ada/shop#12" },
      { type: "pr", ref: "#3" },
      { type: "adr", ref: "ADR-012" },
    ]);
  });

  it("include decision records by file path", () => {
    expect(recordOf("docs/decisions/0007-sqlite.md")).toEqual([{ type: "adr", ref: "ADR-0007" }]);
    expect(recordOf("docs/adr-notes.md")).toEqual([]);
  });

  it("are merged if two names mean the same artifact", () => {
    const same = unique([
      { type: "commit", ref: "1a2b3c4" },
      { type: "commit", ref: "1a2b3c4d5e6f" },
      { type: "adr", ref: "ADR-012" },
      { type: "adr", ref: "ADR-0012" },
      { type: "pr", ref: "a/b#1" },
      { type: "pr", ref: "c/d#1" },
    ]);
    expect(same.map(({ ref }) => ref)).toEqual(["1a2b3c4", "ADR-012", "a/b#1", "c/d#1"]);
  });
});
