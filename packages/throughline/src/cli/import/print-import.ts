import { count } from "../amounts.ts";
import { printTallies } from "../keep/print-tallies.ts";
import { printableLine } from "../printable.ts";
import type { ImportedFile } from "./import-file.ts";
import type { MemoryImport } from "./import-memories.ts";
import type { SpeechTally } from "./remember-speech.ts";

const SKIPPED_SHOWN = 20;

/** What was imported, or would be, for people. */
export function printImport(data: string, results: readonly ImportedFile[], dryRun: boolean): string {
  const sessions = results.flatMap((result) => result.sessions);
  const lines = [
    ...(sessions.length === 0 ? [] : printTallies(sessions, data, dryRun)),
    ...unread(results.reduce((sum, result) => sum + result.skipped.total, 0)),
    ...printSpeech(results.flatMap(({ remembered }) => remembered ?? [])),
    ...results.flatMap(({ memories }) => (memories === undefined ? [] : printMemoryImport(memories, dryRun))),
  ];
  return lines.length === 0 ? "Nothing was imported.\n" : `${lines.join("\n")}\n`;
}

function unread(skipped: number): string[] {
  return skipped === 0
    ? []
    : [`${count(skipped, "record")} could not be read; \`throughline inspect FILE\` says which.`];
}

function printSpeech(tallies: readonly SpeechTally[]): string[] {
  if (tallies.length === 0) return [];
  const sum = (name: keyof SpeechTally) => tallies.reduce((total, tally) => total + tally[name], 0);
  const facts = `${count(sum("added"), "fact")} added, ${sum("merged")} known already, ${sum("replaced")} replaced`;
  return [`${count(sum("turns"), "turn")} remembered: ${facts}.`];
}

function printMemoryImport(imported: MemoryImport, dryRun: boolean): string[] {
  const { added, updated, unchanged, turns, skipped, proposed } = imported;
  const hidden = skipped.length - SKIPPED_SHOWN;
  const done = dryRun ? "would be added" : "added";
  return [
    ...(dryRun ? (proposed ?? []).map((text) => `  + ${printableLine(text)}`) : []),
    `${count(added, "memory", "memories")} ${done}, ${updated} updated, ${unchanged} known already; ${count(turns, "turn")} ${done}.`,
    ...(skipped.length === 0 ? [] : [`${count(skipped.length, "entry", "entries")} skipped:`]),
    ...skipped.slice(0, SKIPPED_SHOWN).map((why) => `  - ${printableLine(why)}`),
    ...(hidden > 0 ? [`  … and ${hidden} more; --json prints all of them.`] : []),
  ];
}
