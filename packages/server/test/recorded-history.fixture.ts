import { createReadStream, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTranscriptStream } from "../../throughline/src/exports/transcript.ts";
import type { HistorySource } from "../src/server.ts";

const SECRET = `sk-ant-api03-${"a1B2c3D4".repeat(11)}AA`;

interface Recording {
  /** Id of the session. */
  readonly id: string;
  /** Folder that the agent worked in. */
  readonly folder: string;
  /** Files that the agent reads before the compaction, and again after it. */
  readonly files: number;
  readonly isCompacted?: boolean;
}

/** A Claude Code transcript whose compaction loses a rule and the names of some files, which are read again. */
export function recordedTranscript(recording: Recording): string {
  const { id, folder, files, isCompacted = true } = recording;
  const request = `Fix the totals of ${id}. Never push to main without asking me. <b>bold</b>`;
  const lines: string[] = [];
  let total = 20_000;
  const line = (type: string, message: object, more: object = {}) => {
    const uuid = `${id}-${lines.length}`;
    const parentUuid = lines.length === 0 ? null : `${id}-${lines.length - 1}`;
    const timestamp = new Date(Date.UTC(2026, 4, 1, 10, 0, lines.length)).toISOString();
    const about = { sessionId: id, isSidechain: false, cwd: folder, timestamp };
    lines.push(JSON.stringify({ ...about, type, uuid, parentUuid, message, ...more }));
  };
  const usage = (size: number) => ({
    input_tokens: 3,
    cache_read_input_tokens: size - 503,
    cache_creation_input_tokens: 500,
    output_tokens: 5,
  });
  const read = (name: string, output: string) => {
    const tool = `tool-${lines.length}`;
    const content = [{ type: "tool_use", id: tool, name: "Read", input: { file_path: `${folder}/src/${name}` } }];
    line("assistant", {
      id: `m${lines.length}`,
      role: "assistant",
      model: "claude-sonnet-4-5",
      content,
      usage: usage(total),
    });
    line("user", { role: "user", content: [{ type: "tool_result", tool_use_id: tool, content: output }] });
    total += 2_600;
  };
  const reply = (text: string) => {
    const content = [{ type: "text", text }];
    line("assistant", {
      id: `m${lines.length}`,
      role: "assistant",
      model: "claude-sonnet-4-5",
      content,
      usage: usage(total),
    });
    total += 60;
  };
  const nameOf = (i: number) => `orderTotals${i}.ts`;
  const bodyOf = (i: number) => `export function sumOfOrder${i}(lines) { return lines.length; }\n`.repeat(110);
  line("user", { role: "user", content: request });
  for (let i = 0; i < files; i += 1) read(nameOf(i), i === 0 ? `const key = "${SECRET}";\n${bodyOf(i)}` : bodyOf(i));
  reply("The sum in src/orderTotals0.ts is wrong.");
  if (isCompacted) {
    line("user", { role: "user", content: "The cart was looked at." }, { isCompactSummary: true });
    total = 9_000;
    for (let i = 0; i < files; i += 1) read(nameOf(i), bodyOf(i));
    reply("Fixed sumOfOrder0.");
  }
  return `${lines.join("\n")}\n`;
}

export interface RecordedHistory {
  readonly source: HistorySource;
  /** Writes a file, or replaces it. Default time of its change: after the file before. */
  write(name: string, text: string, changedAt?: number): void;
  remove(): void;
}

/** A folder of transcripts as a history of Claude Code. */
export function recordedHistory(): RecordedHistory {
  const folder = mkdtempSync(join(tmpdir(), "throughline-history-"));
  const names = new Set<string>();
  // Files that are written within a millisecond would have no order.
  let changedAt = Date.UTC(2026, 4, 2) / 1_000;
  return {
    source: {
      list: async () =>
        [...names].map((name) => {
          const file = join(folder, name);
          const { size, mtimeMs } = statSync(file);
          return { agent: "claude-code", file, bytes: size, changedAt: Math.trunc(mtimeMs) };
        }),
      read: (file) => parseTranscriptStream(createReadStream(file)),
    },
    write: (name, text, at) => {
      names.add(name);
      writeFileSync(join(folder, name), text);
      changedAt += 1;
      const seconds = at === undefined ? changedAt : at / 1_000;
      utimesSync(join(folder, name), seconds, seconds);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
