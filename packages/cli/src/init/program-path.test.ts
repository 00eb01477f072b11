import { describe, expect, it } from "vitest";
import { isTemporaryInstall, programCommand, shellLine } from "./program-path.ts";

const windows = {
  platform: "win32",
  env: { Path: "C:\\Windows;C:\\Users\\ada\\AppData\\Roaming\\npm" },
  node: "C:\\Program Files\\nodejs\\node.exe",
  script: "C:\\Users\\ada\\AppData\\Local\\npm-cache\\_npx\\1\\node_modules\\@throughline\\cli\\dist\\bin.js",
  isExecutable: () => false,
} as const;
const macos = {
  platform: "darwin",
  env: { PATH: "/usr/bin:/opt/homebrew/bin" },
  node: "/opt/homebrew/bin/node",
  script: "/Users/ada/my shop/node_modules/@throughline/cli/dist/bin.js",
  isExecutable: () => false,
} as const;

function installedIn(folder: string) {
  return (file: string) => file.startsWith(folder);
}

describe("the program that agents start", () => {
  it("is called by name if it is on the PATH", () => {
    const isExecutable = installedIn("/opt/homebrew/bin/throughline");
    expect(programCommand({}, true, { ...macos, isExecutable })).toEqual(["throughline"]);
    expect(programCommand({ data: "/data" }, true, macos)).toEqual([macos.node, macos.script, "--data", "/data"]);
  });

  it("is called by name on Windows only in a shell, because throughline.cmd needs one", () => {
    const installed = {
      ...windows,
      isExecutable: installedIn("C:\\Users\\ada\\AppData\\Roaming\\npm\\throughline.cmd"),
    };
    expect(programCommand({}, true, installed)).toEqual(["throughline"]);
    expect(programCommand({}, false, installed)).toEqual([windows.node, windows.script]);
    expect(programCommand({ data: "D:\\data" }, true, windows)).toEqual([
      windows.node,
      windows.script,
      "--data",
      "D:\\data",
    ]);
  });

  it("is not looked for in temporary folders of a package manager", () => {
    const env = { PATH: "/home/ada/shop/node_modules/.bin" };
    expect(programCommand({}, true, { ...macos, env, isExecutable: () => true })).toEqual([macos.node, macos.script]);
  });

  it("is temporary if npx downloaded it", () => {
    expect(isTemporaryInstall(windows)).toBe(true);
    expect(isTemporaryInstall(macos)).toBe(false);
  });

  it.each([
    ["win32", [windows.node, "D:\\a b\\x"], '"C:/Program Files/nodejs/node.exe" "D:/a b/x"'],
    ["win32", ["throughline", "--data", "\\\\server\\share"], "throughline --data //server/share"],
    ["darwin", [macos.node, "/Users/ada/my $shop"], '/opt/homebrew/bin/node "/Users/ada/my \\$shop"'],
    ["linux", ["/opt/a\\b"], '"/opt/a\\\\b"'],
  ] as const)("is quoted for the shells of %s", (platform, program, line) => {
    expect(shellLine(program, platform)).toBe(line);
  });
});
