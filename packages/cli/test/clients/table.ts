import type { Played } from "./play-task.ts";

export type Outcome = "ok" | "–" | { readonly failure: string };

export interface Row {
  readonly name: string;
  /** The played tasks, or the reason that one was skipped. */
  readonly played: readonly (Played | string)[];
  readonly hooks: Outcome;
  readonly mcp: Outcome;
  readonly remember: Outcome;
  readonly import: Outcome;
}

const TASK_COLUMNS = ["steps", "proxy", "requests", "tool output", "refusals seen", "sessions", "prefix"];
const HEAD = ["client", ...TASK_COLUMNS, "hooks", "MCP", "remember", "import"];

export function isFailure({ played, ...row }: Row): boolean {
  const outcomes = [row.hooks, row.mcp, row.remember, row.import];
  return outcomes.some((outcome) => typeof outcome === "object") || played.some((one) => failureOf(one) !== undefined);
}

const failureOf = (played: Played | string): string | undefined =>
  typeof played === "string" ? played : played.failure;

const MAX_REASON = 160;
const failed = (reason: string): string => `FAILED: ${reason.replaceAll(/\s+/g, " ").trim().slice(0, MAX_REASON)}`;
const cell = (outcome: Outcome): string => (typeof outcome === "string" ? outcome : failed(outcome.failure));

/** One line per played task. Values of the client are in its first line. */
export function printTable(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ name, played, ...row }) => {
    const own = [row.hooks, row.mcp, row.remember, row.import].map(cell);
    const tasks = played.length === 0 ? [TASK_COLUMNS.map(() => "–")] : played.map(taskCells);
    return tasks.map((cells, index) => [index === 0 ? name : "", ...cells, ...(index === 0 ? own : own.map(() => ""))]);
  });
  const table = [HEAD, HEAD.map(() => "---"), ...lines];
  const widths = HEAD.map((_, column) => Math.max(...table.map((line) => (line[column] ?? "").length)));
  return table
    .map((line) => `| ${line.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`)
    .join("\n");
}

function taskCells(played: Played | string): string[] {
  if (typeof played === "string") return TASK_COLUMNS.map((column) => (column === "proxy" ? failed(played) : "–"));
  const { failure, steps, measures, seenRefusals, sessions, toolOutput } = played;
  const { stable, changed, compacted, requests } = measures;
  const kept = `${stable}/${stable + changed}, ${compacted} compactions`;
  const proxy = failure === undefined ? "ok" : failed(failure);
  const output = `${Math.round(toolOutput / 1_000)}k`;
  return [String(steps), proxy, String(requests), output, String(seenRefusals.length), String(sessions), kept];
}
