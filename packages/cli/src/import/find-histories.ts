import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { DAY, isRecord, numberField } from "throughline/internal/util";
import {
  claudeFolder,
  codexFolder,
  type Environment,
  editorFolder,
  environment,
  geminiFolder,
  pathsOf,
} from "../config/environment.ts";
import { readJsonc } from "../init/jsonc.ts";
import { withOpenCodeDatabase } from "../transcripts/read-opencode.ts";

/** Claude Code's default for `cleanupPeriodDays`. */
const CLEANUP_DAYS = 30;
/** Transcripts that are deleted within this time are mentioned. */
const SOON_DAYS = 7;

/** A file with sessions. */
interface HistoryFile {
  readonly file: string;
  readonly bytes: number;
  /** Time of the last change. */
  readonly changedAt: number;
  /** False if it belongs to the session of another file. */
  readonly isWhole: boolean;
}

/** Transcripts that the agent deletes soon. */
export interface Expiry {
  /** Days without a change after which the agent deletes a transcript. */
  readonly afterDays: number;
  readonly withinDays: number;
  readonly sessions: number;
}

/** The sessions of one agent on this machine. */
export interface History {
  readonly agent: HistoryAgent;
  /** Folders with sessions. */
  readonly folders: readonly string[];
  /** Least recently changed first. */
  readonly files: readonly HistoryFile[];
  readonly sessions: number;
  readonly bytes: number;
  /** Times of the least and the most recent change of a file. */
  readonly oldest: number;
  readonly newest: number;
  readonly expiry?: Expiry;
}

/** The histories of the agents that have sessions on this machine. Only names, sizes and times of files are read. */
export async function findHistories(
  agents: readonly HistoryAgent[],
  now: number,
  around = environment(),
): Promise<readonly History[]> {
  const found = await Promise.all(agents.map((agent) => findHistory(agent, now, around)));
  return found.filter((history) => history.files.length > 0);
}

async function findHistory(agent: HistoryAgent, now: number, around: Environment): Promise<History> {
  const byFolder = await Promise.all(
    historyLocations(agent, around).map(async (location) => [location.folder, await findFiles(location)] as const),
  );
  const all = byFolder.flatMap(([, files]) => files);
  const { files, sessions } = agent === "opencode" ? await readDatabases(all) : countSessions(all);
  const times = files.map(({ changedAt }) => changedAt);
  return {
    agent,
    folders: byFolder.flatMap(([folder, own]) => (own.length > 0 ? [folder] : [])),
    files: files.toSorted((a, b) => a.changedAt - b.changedAt),
    sessions,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    oldest: times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY),
    newest: times.reduce((most, time) => Math.max(most, time), 0),
    ...(agent === "claude-code" ? { expiry: await findExpiry(files, now, around) } : {}),
  };
}

function countSessions(files: readonly HistoryFile[]): Pick<History, "files" | "sessions"> {
  return { files, sessions: files.filter(({ isWhole }) => isWhole).length };
}

async function findFiles(location: HistoryLocation): Promise<readonly HistoryFile[]> {
  const names = await walk(location, "", location.depth);
  const found = await Promise.all(
    names
      .filter((relative) => location.sessions.test(relative))
      .map(async (relative): Promise<readonly HistoryFile[]> => {
        const file = path.join(location.folder, relative);
        const state = await stat(file).catch(() => undefined);
        if (!state?.isFile() || state.size === 0) return [];
        const isWhole = location.parts?.test(relative) !== true;
        return [{ file, bytes: state.size, changedAt: Math.trunc(state.mtimeMs), isWhole }];
      }),
  );
  return found.flat();
}

/** The files below a folder, relative to it and with `/`. Folders are read concurrently. */
async function walk(location: HistoryLocation, below: string, depth: number): Promise<readonly string[]> {
  const { folder, folders } = location;
  const entries: Dirent[] = await readdir(path.join(folder, below), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const relative = below === "" ? entry.name : `${below}/${entry.name}`;
      if (!entry.isDirectory()) return [relative];
      return depth > 0 && folders?.test(relative) !== false ? walk(location, relative, depth - 1) : [];
    }),
  );
  return found.flat();
}

/** Newer versions of OpenCode have all sessions in a database. Sessions in older files may be copies of them. */
async function readDatabases(files: readonly HistoryFile[]): Promise<Pick<History, "files" | "sessions">> {
  const ids = new Set<string>();
  const databases = files.filter(({ file }) => file.endsWith(".db"));
  for (const { file } of databases) {
    try {
      for await (const id of withOpenCodeDatabase(file, ({ database }) => sessionIds(database))) ids.add(id);
    } catch {
      // The import reports why it cannot be read.
    }
  }
  const older = files.filter(({ file }) => !file.endsWith(".db") && !ids.has(path.basename(file, ".json")));
  return { files: [...databases, ...older], sessions: ids.size + older.length };
}

type Database = Parameters<Parameters<typeof withOpenCodeDatabase>[1]>[0]["database"];

function* sessionIds(database: Database): Generator<string> {
  for (const { id } of database.prepare("SELECT id FROM session").iterate()) yield String(id);
}

/** Claude Code deletes transcripts that were not changed for some days, when it starts. */
async function findExpiry(files: readonly HistoryFile[], now: number, around: Environment): Promise<Expiry> {
  const settings = await readFile(path.join(claudeFolder(around), "settings.json"), "utf8").then(
    readJsonc,
    () => undefined,
  );
  const set = isRecord(settings) ? numberField(settings, "cleanupPeriodDays") : undefined;
  const afterDays = set !== undefined && set > 0 ? set : CLEANUP_DAYS;
  const limit = now - (afterDays - SOON_DAYS) * DAY;
  const sessions = files.filter(({ isWhole, changedAt }) => isWhole && changedAt < limit).length;
  return { afterDays, withinDays: SOON_DAYS, sessions };
}

/** Coding agents whose histories are found. */
export const HISTORY_AGENTS = ["claude-code", "codex", "opencode", "gemini-cli", "cline"] as const;

export type HistoryAgent = (typeof HISTORY_AGENTS)[number];

/** A folder in which an agent stores sessions. */
interface HistoryLocation {
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
          // The message files beside them are too many to list.
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
