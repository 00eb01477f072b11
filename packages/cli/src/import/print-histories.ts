import { styleText } from "node:util";
import { count, number, size } from "../terminal/print-values.ts";
import { nameOf } from "../init/agent-tool.ts";
import type { History } from "./find-histories.ts";
import type { HistoryAgent } from "./history-locations.ts";

/** The name of an agent for people. */
export function agentName(agent: HistoryAgent): string {
  return agent === "cline" ? "Cline" : nameOf(agent);
}

/** Prints the histories as a table, and the transcripts that are deleted soon. */
export function printHistories(histories: readonly History[]): string {
  const rows = histories.map(({ agent, sessions, bytes, oldest, newest }) => {
    return [agentName(agent), number(sessions), size(bytes), `${day(oldest)} to ${day(newest)}`] as const;
  });
  const head = ["Found", "sessions", "size", "last changed"] as const;
  const widths = ([0, 1, 2, 3] as const).map((at) => Math.max(...[head, ...rows].map((row) => row[at].length)));
  const line = ([agent, sessions, bytes, changed]: typeof head | (typeof rows)[number]) =>
    `${agent.padEnd(widths[0] ?? 0)}  ${sessions.padStart(widths[1] ?? 0)}  ${bytes.padStart(widths[2] ?? 0)}  ${changed}`;
  return `${[styleText("bold", line(head)), ...rows.map(line), ...histories.flatMap(printExpiry)].join("\n")}\n`;
}

function printExpiry({ agent, expiry }: History): string[] {
  if (expiry === undefined || expiry.sessions === 0) return [];
  const { sessions, afterDays, withinDays } = expiry;
  return [
    `${agentName(agent)} deletes transcripts after ${count(afterDays, "day")} without use: ${number(sessions)} of these within ${withinDays} days.`,
  ];
}

function day(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
