import { count, number } from "../terminal/print-values.ts";
import { printableLine } from "../terminal/printable.ts";
import type { SessionCounts } from "./import-writer.ts";

const SESSIONS_SHOWN = 20;
const IDS_SHOWN = 3;

/** Prints the message counts of each session. */
export function printSessionCounts(sessions: readonly SessionCounts[], data: string, dryRun = false): string[] {
  const hidden = sessions.length - SESSIONS_SHOWN;
  const added = sessions.reduce((sum, session) => sum + session.added, 0);
  const changed = sessions.filter((session) => session.added > 0).length;
  const done = dryRun ? "would be added" : "added";
  return [
    "     added      known  session",
    ...sessions.slice(0, SESSIONS_SHOWN).map(row),
    ...(hidden > 0 ? [`… and ${count(hidden, "more session")}; --json prints all.`] : []),
    added === 0
      ? `Nothing new; the data is in ${data}.`
      : `${count(added, "message")} of ${count(changed, "session")} ${done} to ${data}.`,
    ...sessions.flatMap(warning),
  ];
}

function row({ id, added, known }: SessionCounts): string {
  return `${number(added).padStart(10)} ${number(known).padStart(10)}  ${printableLine(id)}`;
}

function warning({ id, different, isAnother }: SessionCounts): string[] {
  const name = `Session ${printableLine(id)}:`;
  if (isAnother) {
    return [
      `${name} a different session is stored under this id, so nothing was added. If the id is the file name, choose another one with --session.`,
    ];
  }
  if (different.length === 0) return [];
  const ids = different.slice(0, IDS_SHOWN).map((one) => printableLine(one));
  const more = different.length > IDS_SHOWN ? ", …" : "";
  return [
    `${name} ${count(different.length, "message")} changed since the last import (${ids.join(", ")}${more}); the stored version was kept.`,
  ];
}
