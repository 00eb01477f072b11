import { describe, expect, it } from "vitest";
import { HISTORY_AGENTS, type HistoryAgent, historyLocations } from "./find-histories.ts";

const linux = { platform: "linux", env: {}, home: "/home/ada" } as const;
const mac = { platform: "darwin", env: {}, home: "/Users/ada" } as const;
const windows = { platform: "win32", env: {}, home: "C:\\Users\\ada" } as const;

const foldersOf = (agent: HistoryAgent, around: Parameters<typeof historyLocations>[1]) =>
  historyLocations(agent, around).map(({ folder }) => folder);

describe("folders with histories", () => {
  it("are in the home folder", () => {
    const first = HISTORY_AGENTS.map((agent) => foldersOf(agent, linux)[0]);
    expect(first).toEqual([
      "/home/ada/.claude/projects",
      "/home/ada/.codex/sessions",
      "/home/ada/.local/share/opencode",
      "/home/ada/.gemini/tmp",
      "/home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks",
    ]);
    expect(foldersOf("cline", linux)).toContain("/home/ada/.cline/data/sessions");
    expect(foldersOf("codex", windows)).toEqual([
      "C:\\Users\\ada\\.codex\\sessions",
      "C:\\Users\\ada\\.codex\\archived_sessions",
    ]);
  });

  it("are elsewhere if a variable of the agent names another folder", () => {
    const env = {
      CLAUDE_CONFIG_DIR: "/c",
      CODEX_HOME: "/x",
      XDG_DATA_HOME: "/data",
      GEMINI_CLI_HOME: "/g",
      CLINE_DIR: "/cline",
      XDG_CONFIG_HOME: "/config",
    };
    const all = HISTORY_AGENTS.flatMap((agent) => foldersOf(agent, { ...linux, env }));
    expect(all.filter((folder) => folder.startsWith("/home"))).toEqual([]);
    expect(all).toEqual(
      expect.arrayContaining(["/c/projects", "/x/sessions", "/data/opencode", "/g/.gemini/tmp", "/cline/data/tasks"]),
    );
  });

  it("of editors depend on the platform", () => {
    expect(foldersOf("cline", mac)[0]).toMatch(/^\/Users\/ada\/Library\/Application Support\/Code\/User\//);
    expect(foldersOf("cline", windows)[0]).toMatch(/^C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\/);
  });
});

describe("files of sessions", () => {
  it.each<[HistoryAgent, string, boolean]>([
    ["claude-code", "-home-ada-shop/0a.jsonl", true],
    ["claude-code", "-home-ada-shop/0a/tool-results/b.txt", false],
    ["codex", "2026/05/04/rollout-2026-05-04T09-00-00-0a.jsonl", true],
    ["codex", "rollout-2026-05-04T09-00-00-0a.jsonl.zst", true],
    ["codex", "2026/05/04/notes.jsonl", false],
    ["opencode", "opencode.db", true],
    ["opencode", "opencode.db-wal", false],
    ["opencode", "storage/session/p/ses_1.json", true],
    ["opencode", "storage/message/ses_1/msg_1.json", false],
    ["gemini-cli", "2e4f/chats/session-2026-05-04T09-00-0a.json", true],
    ["gemini-cli", "2e4f/logs.json", false],
    ["cline", "1777885200000/api_conversation_history.json", true],
    ["cline", "1777885200000/ui_messages.json", false],
  ])("of %s: %s is %s", (agent, relative, isSession) => {
    expect(historyLocations(agent, linux)[0]?.sessions.test(relative)).toBe(isSession);
  });
});
