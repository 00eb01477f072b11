import { styleText } from "node:util";
import type { SessionSummary } from "throughline";
import { moment, number } from "../format-values.ts";
import { printableLine } from "../printable.ts";

const NARROWEST = "session".length;

/** A line for each session, for people. */
export function printSessions(sessions: readonly SessionSummary[]): string {
  const ids = sessions.map(({ sessionId }) => printableLine(sessionId));
  const width = ids.reduce((widest, id) => Math.max(widest, id.length), NARROWEST);
  const lines = sessions.map((session, i) => {
    const note = session.isCompacting ? "  is being compacted" : "";
    return `${row(ids[i] ?? "", number(session.appended), number(session.compactions), moment(session.updatedAt), width)}${note}`;
  });
  return `${[styleText("bold", row("session", "messages", "compactions", "last change", width)), ...lines].join("\n")}\n`;
}

function row(id: string, messages: string, compactions: string, changed: string, width: number): string {
  return `${id.padEnd(width)}  ${messages.padStart(10)}  ${compactions.padStart(11)}  ${changed.padEnd(16)}`.trimEnd();
}
