import { count, number } from "../format-values.ts";
import { printableLine } from "../printable.ts";
import type { SessionTally } from "./import-writer.ts";

const SESSIONS_SHOWN = 20;
const IDS_SHOWN = 3;

/** What became of the messages of each session, for people. */
export function printTallies(sessions: readonly SessionTally[], data: string, dryRun = false): string[] {
  const hidden = sessions.length - SESSIONS_SHOWN;
  const added = sessions.reduce((sum, session) => sum + session.added, 0);
  const changed = sessions.filter((session) => session.added > 0).length;
  const done = dryRun ? "would be added" : "added";
  return [
    "     added      known  session",
    ...sessions.slice(0, SESSIONS_SHOWN).map(row),
    ...(hidden > 0 ? [`… and ${count(hidden, "more session")}; --json prints all of them.`] : []),
    added === 0
      ? `Nothing is new; the data is in ${data}.`
      : `${count(added, "message")} of ${count(changed, "session")} ${done} to ${data}.`,
    ...sessions.flatMap(warning),
  ];
}

function row({ id, added, known }: SessionTally): string {
  return `${number(added).padStart(10)} ${number(known).padStart(10)}  ${printableLine(id)}`;
}

function warning({ id, different, isAnother }: SessionTally): string[] {
  const name = `Session ${printableLine(id)}:`;
  if (isAnother) {
    return [
      `${name} another session is kept under this id, so nothing was added. If the id is the file's name, give another with --session.`,
    ];
  }
  if (different.length === 0) return [];
  const ids = different.slice(0, IDS_SHOWN).map((one) => printableLine(one));
  const more = different.length > IDS_SHOWN ? ", …" : "";
  return [
    `${name} ${count(different.length, "message")} changed since (${ids.join(", ")}${more}); what was kept before stands.`,
  ];
}
