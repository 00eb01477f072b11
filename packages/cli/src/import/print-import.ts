import path from "node:path";
import type { OutcomeCounts } from "throughline/internal/engine";
import { describeModelUse, type ModelUse } from "../data/inference.ts";
import { count, number, printableLine } from "../terminal/print-values.ts";
import type { ImportedFile, MemoryImport, SkippedFile } from "./import-file.ts";
import type { ImportedRepository } from "./import-repository.ts";
import type { SessionCounts } from "./import-writer.ts";
import { sumIngestCounts } from "./ingest-messages.ts";
import type { ForeseenLearning, Learned, LearnedProject } from "./learn-from-sessions.ts";

const SKIPPED_SHOWN = 20;
const LINES_SHOWN = 20;
const NAMES_SHOWN = 3;

/** The results for everything that was named. */
export interface ImportedAll {
  readonly files: readonly ImportedFile[];
  /** Files in folders that are not transcripts. */
  readonly skippedFiles: readonly SkippedFile[];
  readonly repositories: readonly ImportedRepository[];
  /** The result of learning, after an import. */
  readonly learned?: Learned;
  /** Requests to the model, if one is configured. */
  readonly model?: ModelUse;
  /** Id that undoes the import; missing if nothing was written. */
  readonly importId?: string;
  /** The preview, in a dry run. */
  readonly foreseen?: ForeseenLearning;
}

export function printImport(data: string, imported: ImportedAll, dryRun: boolean): string {
  const { files, repositories, learned, model, foreseen, importId } = imported;
  const sessions = files.flatMap((result) => result.sessions);
  const lines = [
    ...(sessions.length === 0 ? [] : printSessionCounts(sessions, data, dryRun)),
    ...printLeftOut(imported),
    ...(learned === undefined ? [] : [...printSpeech(learned), ...printLearned(learned)]),
    ...(model === undefined ? [] : [describeModelUse(model)]),
    ...(foreseen === undefined ? [] : printForeseen(foreseen)),
    ...printProjects((learned ?? foreseen)?.projects ?? [], dryRun),
    ...repositories.flatMap(printRepository),
    ...files.flatMap(({ memories }) => (memories === undefined ? [] : printMemoryImport(memories, dryRun))),
    ...(importId === undefined ? [] : [`Undo this import: \`throughline undo ${importId}\``]),
  ];
  return lines.length === 0 ? "Nothing was imported.\n" : `${lines.join("\n")}\n`;
}

function printLearned({ episodes, workflows, hints }: Learned): string[] {
  return [
    `${describeCounts(episodes, "episode")}; ${describeCounts(workflows, "workflow")}.`,
    ...[...new Set(hints)].slice(0, LINES_SHOWN).map((hint) => `  ${printableLine(hint)}`),
  ];
}

/** Sorts memories without a project last. */
function sortName({ project = "\uffff" }: LearnedProject): string {
  return project;
}

function printProjects(projects: readonly LearnedProject[], dryRun: boolean): string[] {
  if (projects.length === 0) return [];
  const noun = dryRun ? "memory would be added" : "new memory";
  const nouns = dryRun ? "memories would be added" : "new memories";
  const sorted = projects.toSorted((a, b) => (sortName(a) < sortName(b) ? -1 : 1));
  const rows = sorted.map(({ project, sessions, memories }) => {
    const name = project === undefined ? "no project" : printableLine(project);
    const why = project === undefined ? " (no folder in the transcript; visible in every project)" : "";
    return [name, `${count(sessions, "session")}, ${count(memories, noun, nouns)}${why}`] as const;
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  const [first] = projects.flatMap(({ project }) => project ?? []);
  const where = projects.length === 1 && first !== undefined ? printableLine(first) : "FOLDER";
  return [
    "By project:",
    ...rows.map(([name, amounts]) => `  ${name.padEnd(width)}  ${amounts}`),
    ...(first === undefined || dryRun ? [] : [`List the memories of a project: \`throughline memories -p ${where}\``]),
  ];
}

function printForeseen({ episodes, workflows }: ForeseenLearning): string[] {
  const hidden = episodes.length - LINES_SHOWN;
  return [
    ...episodes.slice(0, LINES_SHOWN).map((line) => `  + ${printableLine(line)}`),
    ...(hidden > 0 ? [`  … and ${count(hidden, "more episode")}; --json prints all.`] : []),
    ...workflows.map((hint) => `  + ${printableLine(hint)}`),
    `Would learn ${count(episodes.length, "episode")} and ${count(workflows.length, "workflow")} from new messages; facts are extracted on import.`,
  ];
}

function printRepository({ folder, commits, episodes, refused, foreseen, problem }: ImportedRepository): string[] {
  const { added, updated } = episodes;
  if (problem !== undefined && added + updated === 0) return [];
  const hidden = (foreseen?.length ?? 0) - LINES_SHOWN;
  const until = problem === undefined ? "" : " before the error; run the same command again for the rest";
  return [
    ...(foreseen ?? []).slice(0, LINES_SHOWN).map((line) => `  + ${printableLine(line)}`),
    ...(hidden > 0 ? [`  … and ${count(hidden, "more episode")}; --json prints all.`] : []),
    `${count(commits, "commit")} of ${printableLine(folder)} read: ${describeCounts(episodes, "episode", foreseen !== undefined)}${until}.`,
    ...(refused.length === 0 ? [] : [`${count(refused.length, "episode")} could not be stored:`]),
    ...refused.slice(0, LINES_SHOWN).map((line) => `  - ${printableLine(line)}`),
  ];
}

function describeCounts({ added, updated, unchanged, left }: OutcomeCounts, noun: string, dryRun = false): string {
  const kept = left === 0 ? "" : `, ${left} kept as you edited or deleted them`;
  return `${count(added, noun)} ${dryRun ? "would be " : ""}added, ${updated} updated, ${unchanged} already known${kept}`;
}

/** Lines about everything that was not stored: files, records, excluded sessions, and secrets. */
export function printLeftOut({ files, skippedFiles }: Pick<ImportedAll, "files" | "skippedFiles">): string[] {
  const sum = (amountOf: (file: ImportedFile) => number) => files.reduce((all, file) => all + amountOf(file), 0);
  return [
    ...printSkippedFiles(skippedFiles),
    ...unread(sum(({ skipped }) => skipped.total)),
    ...printExcluded(
      sum(({ excluded }) => excluded.length),
      "session",
    ),
    ...printExcluded(
      sum(({ excludedMessages }) => excludedMessages),
      "message",
    ),
    ...printRedacted(sum(({ redacted }) => redacted)),
  ];
}

function printSkippedFiles(skippedFiles: readonly SkippedFile[]): string[] {
  if (skippedFiles.length === 0) return [];
  const byReason = [...Map.groupBy(skippedFiles, ({ reason }) => reason)];
  return [
    `${count(skippedFiles.length, "file")} skipped:`,
    ...byReason.map(([reason, own]) => {
      const names = own.slice(0, NAMES_SHOWN).map(({ file }) => printableLine(path.basename(file)));
      const more = own.length > names.length ? ", …" : "";
      return `  ${number(own.length)} ${reason}: ${names.join(", ")}${more}`;
    }),
  ];
}

function unread(skipped: number): string[] {
  return skipped === 0
    ? []
    : [`${count(skipped, "record")} could not be read; \`throughline inspect FILE\` lists them.`];
}

function printExcluded(amount: number, noun: "session" | "message"): string[] {
  const skipped = `${count(amount, noun)} skipped, because the setting \`exclude\` names the folder.`;
  return amount === 0 ? [] : [skipped];
}

function printRedacted(secrets: number): string[] {
  return secrets === 0 ? [] : [`${count(secrets, "secret")} redacted; --keep-secrets keeps them.`];
}

function printSpeech({ speech }: Learned): string[] {
  const { turns, added, merged, replaced } = sumIngestCounts([...speech.values()]);
  return [
    `${count(turns, "utterance")} stored: ${count(added, "fact")} added, ${merged} already known, ${replaced} replaced.`,
  ];
}

function printMemoryImport(imported: MemoryImport, dryRun: boolean): string[] {
  const { added, updated, unchanged, turns, skipped, proposed } = imported;
  const hidden = skipped.length - SKIPPED_SHOWN;
  const done = dryRun ? "would be added" : "added";
  return [
    ...(dryRun ? (proposed ?? []).map((text) => `  + ${printableLine(text)}`) : []),
    `${count(added, "memory", "memories")} ${done}, ${updated} updated, ${unchanged} already known; ${count(turns, "utterance")} ${done}.`,
    ...(skipped.length === 0 ? [] : [`${count(skipped.length, "entry", "entries")} skipped:`]),
    ...skipped.slice(0, SKIPPED_SHOWN).map((why) => `  - ${printableLine(why)}`),
    ...(hidden > 0 ? [`  … and ${hidden} more; --json prints all.`] : []),
  ];
}

const SESSIONS_SHOWN = 20;
const IDS_SHOWN = 3;

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
