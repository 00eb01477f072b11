import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "../usage-error.ts";
import { projectFolder } from "../workspace/project.fixture.ts";
import { excludedFolders } from "./excluded-folders.ts";

function excluded(patterns: readonly string[], platform: NodeJS.Platform = "linux") {
  const file = path.join(projectFolder({}), "config.json");
  writeFileSync(file, JSON.stringify({ exclude: patterns }));
  return excludedFolders({ platform, home: "/home/ada", env: { THROUGHLINE_CONFIG: file } });
}

describe("excluded folders", () => {
  it.each([
    ["~/private", "/home/ada/private", true],
    ["~/private", "/home/ada/private/deep/down", true],
    ["~/private/**", "/home/ada/private/deep", true],
    ["~/private/", "/home/ada/private", true],
    ["~/private", "/home/ada/private2", false],
    ["~/private", "/home/ada", false],
    ["~/clients/*/secret", "/home/ada/clients/acme/secret/src", true],
    ["~/clients/*/secret", "/home/ada/clients/acme/open", false],
    ["~/client-*", "/home/ada/client-acme/src", true],
    ["/**/private", "/srv/a/b/private", true],
    ["/**/private", "/srv/a/b/public", false],
    ["/**", "/anything", true],
    ["C:\\private", "c:\\private\\notes", true],
  ])("%s and %s: %s", (pattern, folder, isExcluded) => {
    expect(excluded([pattern])(folder)).toBe(isExcluded);
  });

  it("ignore case on macOS", () => {
    expect(excluded(["/Users/ada/Private"], "darwin")("/users/ada/private/x")).toBe(true);
    expect(excluded(["/Users/ada/Private"])("/users/ada/private/x")).toBe(false);
  });

  it("are found through symbolic links, whichever path has the link", () => {
    const root = realpathSync(projectFolder({}));
    const [real, link] = [path.join(root, "real"), path.join(root, "link")];
    mkdirSync(path.join(real, "client", "secret"), { recursive: true });
    symlinkSync(real, link);
    const below = (folder: string) => path.join(folder, "client", "secret");
    expect(excluded([link])(below(real))).toBe(true);
    expect(excluded([real])(below(link))).toBe(true);
    expect(excluded([`${link}/*/secret`])(below(real))).toBe(true);
    expect(excluded([`${real}/*/secret`])(below(link))).toBe(true);
    expect(excluded([`${link}/*/open`])(below(real))).toBe(false);
    expect(excluded([path.join(link, "gone")])(path.join(link, "gone", "src"))).toBe(true);
  });

  it("must be absolute", () => {
    expect(() => excluded(["private"])).toThrow(UsageError);
  });

  it("take linear time for many stars", () => {
    const pattern = `/${"**/*a*a*a*a/".repeat(30)}end`;
    expect(excluded([pattern])(`/${"aaaaaaaaaaaaaaaaaaaaaaaaaaaab/".repeat(200)}x`)).toBe(false);
  });
});
