import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { parseTranscript } from "throughline";
import { readSpeech } from "throughline/internal/engine";
import { BANDS, reportSession, type SessionReport, windowOfCall } from "throughline/internal/inspect";
import { createTokenCounter } from "throughline/internal/util";
import { printTable } from "../print-table.ts";
import { measureFirstScreen } from "./first-screen.ts";
import { measureLargeStores } from "./large-stores.ts";

const FOLDERS = ["claude-code/sessions", "codex/sessions", "gemini-cli/sessions", "opencode"];
/** Maximum difference to the usage that the provider reported. */
const MAX_DIFFERENCE = 0.02;
/** Share of the calls that must be within it. */
const MIN_WITHIN = 0.9;
const USAGE = `Usage: npm run bench -- inspect --data FOLDER | --sessions COUNT [--cli FILE] | --memories COUNT [--cli FILE]
FOLDER contains ${FOLDERS.join(", ")}. COUNT sessions are generated, and opened in Chromium; or a session of a million
tokens and COUNT memories are.
`;

/** Checks the arithmetic of windows on recorded sessions, or measures the first screen of the Studio. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: "string" },
      sessions: { type: "string" },
      memories: { type: "string" },
      cli: { type: "string" },
    },
  });
  if (values.sessions !== undefined) return measureFirstScreen(Number(values.sessions), values.cli);
  if (values.memories !== undefined) return measureLargeStores(Number(values.memories), values.cli);
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const totals = new Map<string, Totals>();
  for (const folder of FOLDERS) totals.set(folder, await surveyFolder(path.join(values.data, folder)));
  printTable(
    ["folder", "sessions", "windows", "sums that differ", "with usage", "within 2%", "share"],
    [...totals].map(([folder, one]) => [
      folder,
      one.sessions,
      one.windows,
      one.unequal,
      one.reported,
      one.within,
      `${((100 * one.within) / Math.max(1, one.reported)).toFixed(1)}%`,
    ]),
  );
  const all = [...totals.values()];
  const sum = (key: keyof Totals) => all.reduce((total, one) => total + one[key], 0);
  return sum("unequal") === 0 && sum("within") >= MIN_WITHIN * sum("reported") ? 0 : 1;
}

interface Totals {
  sessions: number;
  windows: number;
  /** Windows whose parts do not add up to their tokens. */
  unequal: number;
  /** Calls with reported usage, and those whose window is close to it. */
  reported: number;
  within: number;
}

async function surveyFolder(folder: string): Promise<Totals> {
  const totals: Totals = { sessions: 0, windows: 0, unequal: 0, reported: 0, within: 0 };
  const counter = createTokenCounter("gpt-4o", {});
  for (const name of await readdir(folder).catch(() => [])) {
    const { sessions } = parseTranscript(await readFile(path.join(folder, name), "utf8"));
    for (const session of sessions) {
      if (session.messages.length === 0) continue;
      const report = await reportSession(session, { counter, readSpeech });
      addReport(totals, report);
      // The messages of a few windows, which take longer.
      for (const call of [0, Math.floor(report.calls.length / 2), report.calls.length - 1]) {
        const window = windowOfCall(session, call, counter.part);
        if (window === undefined) continue;
        const recorded = window.messages.reduce((sum, { tokens }) => sum + tokens, 0);
        if (recorded + window.unrecorded !== window.tokens) totals.unequal += 1;
      }
    }
  }
  return totals;
}

function addReport(totals: Totals, { calls }: SessionReport): void {
  totals.sessions += 1;
  for (const { tokens, bands, reported } of calls) {
    totals.windows += 1;
    if (BANDS.reduce((sum, band) => sum + bands[band], 0) !== tokens) totals.unequal += 1;
    if (reported === undefined) continue;
    totals.reported += 1;
    if (Math.abs(tokens - reported) <= MAX_DIFFERENCE * reported) totals.within += 1;
  }
}
