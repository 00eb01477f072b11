import { claudeFolder, codexFolder, editorFolder, geminiFolder } from "../config/agent-folders.ts";
import { type Environment, pathsOf } from "../config/environment.ts";

/** Coding agents whose histories are found. */
export const HISTORY_AGENTS = ["claude-code", "codex", "opencode", "gemini-cli", "cline"] as const;

export type HistoryAgent = (typeof HISTORY_AGENTS)[number];

/** A folder in which an agent stores sessions. */
export interface HistoryLocation {
  readonly folder: string;
  /** Matches the paths of session files, relative to the folder and with `/`. */
  readonly sessions: RegExp;
  /** Matches those that belong to the session of another file. */
  readonly parts?: RegExp;
  /** Matches the folders that can have such files. Default: all. */
  readonly folders?: RegExp;
  /** Maximum number of folders between the folder and a file. */
  readonly depth: number;
}

/** The folders in which an agent stores sessions, whether they exist or not. */
export function historyLocations(agent: HistoryAgent, around: Environment): readonly HistoryLocation[] {
  const { join } = pathsOf(around);
  switch (agent) {
    case "claude-code":
      return [
        {
          folder: join(claudeFolder(around), "projects"),
          sessions: /\.jsonl$/,
          parts: /\/subagents\/|\/agent-[^/]*$/,
          depth: 3,
        },
      ];
    case "codex":
      return ["sessions", "archived_sessions"].map((name) => ({
        folder: join(codexFolder(around), name),
        sessions: /(?:^|\/)rollout-[^/]*\.jsonl(?:\.zst)?$/,
        depth: 3,
      }));
    case "opencode":
      return [
        {
          folder: join(around.env.XDG_DATA_HOME || join(around.home, ".local", "share"), "opencode"),
          sessions: /^opencode[^/]*\.db$|^storage\/session\/[^/]+\/ses_[^/]*\.json$/,
          // The messages beside them are thousands of files.
          folders: /^storage(?:\/session(?:\/[^/]+)?)?$/,
          depth: 3,
        },
      ];
    case "gemini-cli":
      return [
        { folder: join(geminiFolder(around), "tmp"), sessions: /\/chats\/(?:.+\/)?session-[^/]*\.jsonl?$/, depth: 3 },
      ];
    case "cline":
      return clineLocations(around);
  }
}

/** Editors that Cline runs in. */
const EDITORS = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];

function clineLocations(around: Environment): readonly HistoryLocation[] {
  const { join } = pathsOf(around);
  const own = join(around.env.CLINE_DIR || join(around.home, ".cline"), "data");
  const storages = EDITORS.map((editor) =>
    join(editorFolder(around, editor), "User", "globalStorage", "saoudrizwan.claude-dev"),
  );
  return [
    ...[...storages, own].map((folder) => ({
      folder: join(folder, "tasks"),
      sessions: /\/api_conversation_history\.json$/,
      depth: 1,
    })),
    { folder: join(own, "sessions"), sessions: /\.messages\.json$/, depth: 1 },
  ];
}
