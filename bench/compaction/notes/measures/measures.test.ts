import { describe, expect, it } from "vitest";
import type { Label, TranscriptMessage, TranscriptPart } from "../transcript.ts";
import { countCovered } from "./covered.ts";
import { identifiersIn } from "./identifiers.ts";
import { listLines } from "./list-lines.ts";
import { findNeeded, neededShare } from "./needed.ts";
import { compareProse } from "./prose.ts";

describe("covered", () => {
  const label: Label = { text: "Retry failed uploads twice because the proxy drops connections", line: 0 };

  it("counts a label whose quote is in the note", () => {
    const quoted = { ...label, quote: "two retries it is" };
    expect(countCovered([quoted], "Agreed: two retries it is, then.")).toBe(1);
  });

  it("counts a label if two adjacent sentences have 60% of its content words", () => {
    expect(countCovered([label], "Uploads failed often. The proxy drops connections often")).toBe(1);
  });

  it("does not count words that are further apart", () => {
    expect(countCovered([label], "Uploads failed often.\nSomething else.\nThe proxy drops connections often")).toBe(0);
  });

  it("does not count less than 60% of the words", () => {
    expect(countCovered([label], "The proxy drops connections often")).toBe(0);
  });

  it("ignores English endings and common words", () => {
    expect(countCovered([{ text: "the parser was parsing comments", line: 0 }], "parser parsed a comment")).toBe(1);
  });

  it("counts no label without content words", () => {
    expect(countCovered([{ text: "it is", line: 0 }], "it is")).toBe(0);
  });
});

describe("identifiers", () => {
  it.each(["src/a.ts", "user_id", "readFile", "HTTPServer", "config.json", "sha256sum"])("finds %s", (name) => {
    expect([...identifiersIn(`see ${name}, please`)]).toEqual([name]);
  });

  it.each(["words", "README", "0.477s", "a.b", "x1y2z"])("does not find %s", (name) => {
    expect(identifiersIn(`see ${name} now`).size).toBe(0);
  });
});

describe("listTokens", () => {
  it("takes the lines in which at least 60% of the words are identifiers", () => {
    const list = "Files: src/a.ts, src/b.ts, src/c.ts";
    expect(listLines(`We changed src/a.ts because it failed.\n${list}`)).toBe(list);
  });

  it("takes no line of fewer than four words", () => {
    expect(listLines("src/a.ts, src/b.ts, src/c.ts")).toBe("");
  });

  it("counts a run of more than 60 characters as an identifier", () => {
    const line = Array(4).fill("x".repeat(61)).join(" ");
    expect(listLines(line)).toBe(line);
  });
});

describe("needed", () => {
  const text = (role: TranscriptMessage["role"], said: string) => message(role, { kind: "text", text: said });
  const call = (command: string) => message("assistant", { kind: "call", id: "1", name: "run", input: { command } });
  const result = (said: string) => message("user", { kind: "result", id: "1", isError: false, text: said });

  it("lists names that the agent typed next and had seen before", () => {
    expect(findNeeded([text("user", "fix src/a.ts")], [call("open src/a.ts src/new.ts")])).toEqual(["src/a.ts"]);
  });

  it("leaves out names that were shown again before their use", () => {
    const before = [text("user", "fix src/a.ts and src/b.ts")];
    const after = [call("ls"), result("src/a.ts"), call("open src/a.ts src/b.ts")];
    expect(findNeeded(before, after)).toEqual(["src/b.ts"]);
  });

  it("does not count names in text of the assistant as shown again", () => {
    const after = [text("assistant", "Opening src/a.ts."), call("open src/a.ts")];
    expect(findNeeded([text("user", "fix src/a.ts")], after)).toEqual(["src/a.ts"]);
  });

  it("reads the next 40 calls", () => {
    const calls = Array.from({ length: 41 }, (_, index) => call(`open src/file${index + 1}.ts`));
    const names = calls.map((_, index) => `src/file${index + 1}.ts`);
    expect(findNeeded([text("user", names.join(" "))], calls)).toEqual(names.slice(0, 40));
  });

  it("is the share of the names that the note has", () => {
    expect(neededShare(["src/a.ts", "readFile"], "Edited src/a.ts.")).toBe(0.5);
    expect(neededShare([], "Edited src/a.ts.")).toBeUndefined();
  });

  it("counts a path as its remainder under a declared root", () => {
    const needed = ["home/me/project/src/a.ts", "home/other/src/b.ts"];
    expect(neededShare(needed, "Files (relative to `home/me/project/`): src/a.ts, src/b.ts")).toBe(0.5);
  });
});

describe("narrative and phrases", () => {
  it("are the shares of the agent's content words and word pairs that the note has", () => {
    const own = "The cache expired early, so uploads failed.";
    // Words: cache, expir, early, upload, fail.
    expect(compareProse(own, "Uploads fail: the cache expires.")).toEqual({ narrative: 4 / 5, phrases: 2 / 4 });
  });

  it("leave out code, paths and names", () => {
    const own = "Fixed readFile in src/a.ts: `const broken = 1`\n```\nconst hidden = 2;\n```";
    expect(compareProse(own, "fixed")).toEqual({ narrative: 1, phrases: 0 });
  });
});

function message(role: TranscriptMessage["role"], ...parts: TranscriptPart[]): TranscriptMessage {
  return { role, parts, isSummary: false, line: 0 };
}
