import { styleText } from "node:util";
import type { JournalEntry } from "throughline/store";
import { count, moment } from "../format-values.ts";
import { printableLine } from "../printable.ts";

/** An entry, and what the first memory says that it is about. */
export interface ShownEntry extends JournalEntry {
  readonly text: string | undefined;
}

const MAX_TEXT_LENGTH = 100;
const ACTION_WIDTH = "consolidate".length;

/** A line for each thing that was done, for people. */
export function printJournal(entries: readonly ShownEntry[]): string {
  if (entries.length === 0) return "Nothing was done to memories yet.\n";
  const undone = new Map(entries.flatMap(({ id, undoes }) => (undoes === undefined ? [] : [[undoes, id] as const])));
  const lines = entries.map((entry) => {
    const { id, at, action, undoes } = entry;
    const by = undone.get(id);
    const notes = [
      ...(undoes === undefined ? [] : [`of ${printableLine(undoes)}`]),
      ...(by === undefined ? [] : [`undone by ${printableLine(by)}`]),
    ];
    const note = notes.length === 0 ? "" : `  ${styleText("dim", `(${notes.join(", ")})`)}`;
    const what = printableLine(action).padEnd(ACTION_WIDTH);
    return `${printableLine(id)}  ${moment(at)}  ${what}  ${about(entry)}${note}`;
  });
  return `${lines.join("\n")}\n`;
}

function about({ changes, text }: ShownEntry): string {
  if (text === undefined) return count(changes.length, "change");
  const more = changes.length - 1;
  return `${printableLine(text, MAX_TEXT_LENGTH)}${more === 0 ? "" : ` and ${count(more, "more change")}`}`;
}
