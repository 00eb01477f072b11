import { describe, expect, it } from "vitest";
import { findRoot, withoutRoot } from "./list-names.ts";

describe("the root that paths are relative to", () => {
  it("is the directory that most paths share", () => {
    expect(findRoot(["/app/src/a.ts", "/app/src/b.ts", "/etc/hosts"], [])).toBe("/app/src");
    expect(findRoot(["C:/app/src/a.ts", "C:/app/src/b.ts"], [])).toBe("C:/app/src");
    expect(withoutRoot("/app/src/a.ts", "/app/src")).toBe("a.ts");
    expect(withoutRoot("/app/src2/a.ts", "/app/src")).toBe("/app/src2/a.ts");
  });

  it("is the working directory if files were named from there too", () => {
    const names = ["src/a.ts", "./src/b.ts"];
    expect(findRoot(["/app/src/a.ts", "/app/src/b.ts"], names)).toBe("/app");
    expect(findRoot(["/app/src/a.ts", "/app/src/b.ts", "src/c.ts"], names)).toBe("/app");
  });

  it("is none if relative paths may belong to another directory", () => {
    expect(findRoot(["/cache/x/a.md", "/cache/x/b.md", "src/a.ts"], [])).toBe("");
    expect(findRoot(["/app/a.ts"], [])).toBe("");
    expect(findRoot([], [])).toBe("");
  });
});
