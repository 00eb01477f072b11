import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Message, repairWindow, ThroughlineError, validateWindow } from "throughline";
import { convertRichToModel } from "throughline/messages";
import { parseTranscriptStream } from "throughline/transcript";
import { printTable } from "../print-table.ts";

const FOLDERS = ["claude-code/sessions", "codex/sessions", "opencode", "gemini-cli/sessions", "tau-bench"];
const PROVIDERS = ["openai", "anthropic", "gemini"] as const;

interface Totals {
  files: number;
  unreadable: number;
  sessions: number;
  messages: number;
  calls: number;
  compactions: number;
  skipped: number;
  ignored: number;
  violations: number;
  repairs: number;
  left: number;
  bytes: number;
  milliseconds: number;
}

/** Reads every transcript below a folder and checks that each session becomes a valid AI SDK window. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(`Usage: npm run bench -- transcripts --data FOLDER\nFOLDER contains ${FOLDERS.join(", ")}.\n`);
    return 2;
  }
  const rows: [string, Totals][] = [];
  for (const folder of FOLDERS) rows.push([folder, await surveyFolder(path.join(values.data, folder))]);
  printTable(
    [
      "folder",
      "files",
      "unreadable",
      "sessions",
      "messages",
      "calls",
      "compactions",
      "skipped",
      "passed over",
      "violations",
      "repairs",
      "left",
      "MB/s",
    ],
    rows.map(([folder, t]) => [
      folder,
      t.files,
      t.unreadable,
      t.sessions,
      t.messages,
      t.calls,
      t.compactions,
      t.skipped,
      t.ignored,
      t.violations,
      t.repairs,
      t.left,
      (t.bytes / 1_000 / t.milliseconds).toFixed(1),
    ]),
  );
  console.log(
    "\nviolations: as recorded, for the strictest provider; left: after repair and conversion to the AI SDK, for all three.",
  );
  return rows.some(([, totals]) => totals.left > 0 || totals.unreadable > 0) ? 1 : 0;
}

async function surveyFolder(folder: string): Promise<Totals> {
  const totals: Totals = {
    files: 0,
    unreadable: 0,
    sessions: 0,
    messages: 0,
    calls: 0,
    compactions: 0,
    skipped: 0,
    ignored: 0,
    violations: 0,
    repairs: 0,
    left: 0,
    bytes: 0,
    milliseconds: 0,
  };
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    totals.files += 1;
    totals.bytes += (await stat(file)).size;
    try {
      await surveyFile(file, totals);
    } catch (error) {
      if (!ThroughlineError.isInstance(error)) throw error;
      totals.unreadable += 1;
      console.log(`${file}: ${error.message}`);
    }
  }
  return totals;
}

async function surveyFile(file: string, totals: Totals): Promise<void> {
  const sessions = new Map<string, Message[]>();
  const start = performance.now();
  for await (const event of parseTranscriptStream(createReadStream(file))) {
    if (event.type === "session") sessions.set(event.id, []);
    else if (event.type === "message") sessions.get(event.sessionId)?.push(event.message);
    else if (event.type === "compaction") totals.compactions += 1;
    else if (event.type === "skipped") totals.skipped += 1;
    else if (event.type === "ignored") totals.ignored += 1;
  }
  totals.milliseconds += performance.now() - start;
  for (const messages of sessions.values()) surveySession(messages, totals);
}

function surveySession(messages: readonly Message[], totals: Totals): void {
  totals.sessions += 1;
  totals.messages += messages.length;
  totals.calls += messages.flatMap((message) => message.parts).filter((part) => part.type === "tool-call").length;
  totals.violations += Math.max(...PROVIDERS.map((provider) => validateWindow(messages, provider).length));
  const repaired = repairWindow(messages);
  totals.repairs += repaired.repairs.length;
  const window = convertRichToModel(repaired.messages);
  totals.left += PROVIDERS.reduce((sum, provider) => sum + validateWindow(window, provider).length, 0);
}
