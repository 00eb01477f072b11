import process from "node:process";
import { parseArgs } from "node:util";
import type { SessionOptions } from "throughline";
import { isSetAside } from "../compaction/notes/read-cases.ts";
import { printTable } from "../print-table.ts";
import { type LongSession, readSessions } from "../real-sessions.ts";
import { emptyReplayScore, type Recall, type ReplayScore, replaySession } from "./replay-session.ts";

const USAGE = `Usage: npm run bench -- tail-size --data FOLDER [--agent claude-code|codex] [--sessions N]
       [--windows 16000,32000,200000] [--tails default,4000,10%,20%,30%,40%,50%]
FOLDER contains claude-code/sessions or codex/sessions. A tail is a number of tokens, a share of the threshold, or the default.
`;

/**
 * Measures the effect of the size of the verbatim tail on real sessions: number of compactions, price with a
 * provider's prompt cache, and the identifiers in the window that the agent needs next.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: "string" },
      agent: { type: "string", default: "claude-code" },
      sessions: { type: "string", default: "8" },
      windows: { type: "string", default: "16000,32000,200000" },
      tails: { type: "string", default: "default,4000,10%,20%,30%,40%,50%" },
    },
  });
  const { data, agent } = values;
  if (data === undefined || (agent !== "claude-code" && agent !== "codex")) {
    process.stderr.write(USAGE);
    return 2;
  }
  const windows = values.windows.split(",").map(Number);
  const isWanted = (name: string) => agent === "codex" || !isSetAside(name);
  for (const contextLimit of windows) {
    const wanted = { count: Number(values.sessions), minTokens: contextLimit, isWanted };
    await measureWindow(await readSessions(data, agent, wanted), contextLimit, values.tails.split(","));
  }
  return 0;
}

async function measureWindow(
  sessions: readonly LongSession[],
  contextLimit: number,
  tails: readonly string[],
): Promise<void> {
  const tokens = sessions.reduce((sum, session) => sum + session.tokens, 0).toLocaleString("en-US");
  console.log(`\nWindow ${contextLimit.toLocaleString("en-US")}: ${sessions.length} sessions, ${tokens} tokens`);
  const scores = tails.map((tail) => ({ tail, score: emptyReplayScore() }));
  for (const session of sessions) {
    for (const { tail, score } of scores) {
      await replaySession(session, { contextLimit, ...tailOptions(tail) }, score);
    }
  }
  printScores(scores);
}

function tailOptions(tail: string): SessionOptions {
  if (tail === "default") return {};
  return tail.endsWith("%") ? { keepShare: Number.parseFloat(tail) / 100 } : { keepTokens: Number(tail) };
}

function printScores(scores: readonly { readonly tail: string; readonly score: ReplayScore }[]): void {
  printTable(
    [
      "tail",
      "compactions/session",
      "prunings/session",
      "freed by one",
      "mean window",
      "cost per 1,000 requests",
      "from the cache",
      "needed after a compaction",
      "needed at any time",
    ],
    scores.map(({ tail, score: { sessions, compactions, prunings, freed, bill, afterCompaction, anyTime } }) => [
      tail,
      (compactions / sessions).toFixed(1),
      (prunings / sessions).toFixed(1),
      Math.round(freed / Math.max(1, compactions)),
      Math.round(bill.tokens / bill.requests),
      Math.round((1_000 * bill.cost) / bill.requests),
      `${((100 * bill.read) / bill.tokens).toFixed(1)}%`,
      share(afterCompaction),
      share(anyTime),
    ]),
  );
}

function share({ needed, found }: Recall): string {
  return `${((100 * found) / Math.max(1, needed)).toFixed(1)}% of ${needed.toLocaleString("en-US")}`;
}
