import { mkdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SAMPLE_CONTENT, TRANSCRIPT_SAMPLES } from "../../throughline/src/transcript/samples.fixture.ts";
import type { TranscriptFormat } from "../../throughline/src/transcript/transcript.ts";

/** The environment of a home folder: no variable points elsewhere. */
export function homeEnvironment(home: string): Readonly<Record<string, string | undefined>> {
  const unset = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "GEMINI_CLI_HOME", "CLINE_DIR"];
  return { HOME: home, USERPROFILE: home, APPDATA: undefined, ...Object.fromEntries(unset.map((name) => [name, ""])) };
}

/** Writes files below a folder. */
export async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** Sets the modification time of a file. */
export async function setAge(file: string, days: number): Promise<void> {
  const at = new Date(Date.now() - days * 86_400_000);
  await utimes(file, at, at);
}

/** A home folder with a short session of each agent, as its current version stores it. */
export async function fillHome(home: string): Promise<void> {
  await writeFiles(home, {
    ".claude/projects/-home-ada-shop/c1a0de00-0000-4000-8000-000000000001.jsonl": sample("claude-code"),
    ".claude/projects/-home-ada-shop/c1a0de00-0000-4000-8000-000000000001/tool-results/b.txt": "1 failed",
    ".claude/settings.json": "{}",
    ".codex/sessions/2026/05/04/rollout-2026-05-04T09-00-00-0de0.jsonl": sample("codex"),
    ".codex/session_index.jsonl": '{"id":"0de0"}\n',
    ".gemini/tmp/2e4f/chats/session-2026-05-04T09-00-f833f8a0.jsonl": sample("gemini-cli"),
    ".gemini/tmp/2e4f/logs.json": "[]",
    ".cline/data/sessions/1777885200000_abcde/1777885200000_abcde.messages.json": sample("cline", "CLI"),
  });
  await writeOpenCode(path.join(home, ".local", "share", "opencode"));
}

function sample(wanted: TranscriptFormat, name = ""): string {
  const found = TRANSCRIPT_SAMPLES.find((one) => one.format === wanted && one.name.includes(name));
  if (found === undefined) throw new Error(`There is no sample of ${wanted}.`);
  return found.text;
}

async function writeOpenCode(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const database = new DatabaseSync(path.join(folder, "opencode.db"));
  database.exec(`
    CREATE TABLE session (id text, parent_id text, directory text, title text, version text, time_created integer);
    CREATE TABLE message (id text, session_id text, time_created integer, data text);
    CREATE TABLE part (id text, message_id text, data text);
    INSERT INTO session VALUES ('ses_1', NULL, '${SAMPLE_CONTENT.folder}', 'Tests', '1.18.33', 1777885200000);
    INSERT INTO message VALUES ('msg_1', 'ses_1', 1777885200000, '{"role":"user"}');`);
  const part = JSON.stringify({ type: "text", text: SAMPLE_CONTENT.asked });
  database.prepare("INSERT INTO part VALUES ('prt_1', 'msg_1', ?)").run(part);
  database.close();
}
