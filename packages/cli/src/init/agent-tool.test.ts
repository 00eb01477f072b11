import { describe, expect, it } from "vitest";
import { hookFile, serverFile } from "./agent-tool.ts";

const linux = { platform: "linux", env: {}, home: "/home/ada" } as const;
const macos = { platform: "darwin", env: {}, home: "/Users/ada" } as const;
const windows = { platform: "win32", env: {}, home: "C:\\Users\\ada" } as const;
const user = { global: true };

describe("the files of agents", () => {
  it("are in the user's folder of each platform", () => {
    expect(hookFile("claude-code", user, macos)).toBe("/Users/ada/.claude/settings.json");
    expect(hookFile("claude-code", user, windows)).toBe("C:\\Users\\ada\\.claude\\settings.json");
    expect(hookFile("codex", user, { ...windows, env: { CODEX_HOME: "D:\\codex" } })).toBe("D:\\codex\\hooks.json");
    expect(hookFile("opencode", user, windows)).toBe("C:\\Users\\ada\\.config\\opencode\\plugins\\throughline.js");
    expect(serverFile("vscode", user, linux)).toBe("/home/ada/.config/Code/User/mcp.json");
    expect(serverFile("vscode", user, macos)).toBe("/Users/ada/Library/Application Support/Code/User/mcp.json");
    expect(serverFile("vscode", user, windows)).toBe("C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json");
    const env = { APPDATA: "D:\\Roaming" };
    expect(serverFile("vscode", user, { ...windows, env })).toBe("D:\\Roaming\\Code\\User\\mcp.json");
  });

  it("are in the project's folder, also on a network share", () => {
    expect(serverFile("cursor", { dir: "D:\\work\\shop" }, windows)).toBe("D:\\work\\shop\\.cursor\\mcp.json");
    expect(serverFile("claude-code", { dir: "\\\\server\\share\\shop" }, windows)).toBe(
      "\\\\server\\share\\shop\\.mcp.json",
    );
    expect(hookFile("claude-code", { dir: "/home/ada/shop" }, macos)).toBe("/home/ada/shop/.claude/settings.json");
  });
});
