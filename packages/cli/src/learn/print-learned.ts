import type { LearnedPatterns } from "throughline/context";
import { count, number, printableLine } from "../terminal/print-values.ts";

/** The patterns learned from a project. */
export interface LearnedProject extends LearnedPatterns {
  readonly folder: string;
  readonly project: string;
  readonly dryRun: boolean;
  /** Number of commits read for predictions; `undefined` if none were read. */
  readonly commits?: number;
  /** Reason that the history could not be read. */
  readonly warning?: string;
}

const OUTCOMES = { added: "new", updated: "changed", unchanged: "known", left: "yours" } as const;

/** Prints how much was read, and each pattern with an example file. */
export function printLearned(learned: LearnedProject): string {
  const { folder, project, dryRun, read, patterns, closed, commits = 0, warning } = learned;
  const lines = [
    `${count(read.files, "file")} of ${printableLine(folder)}: ${printRead(read)}.`,
    ...(commits === 0 ? [] : [`${count(commits, "commit")} read for files that change together.`]),
    ...(warning === undefined ? [] : [`Warning: ${printableLine(warning)}`]),
    ...(patterns.length === 0 ? ["No patterns found."] : []),
    ...patterns.flatMap(({ pattern, outcome }) => [
      `  ${OUTCOMES[outcome].padEnd(8)}${printableLine(pattern.hint)}`,
      `          ${printableLine(pattern.title)}, in ${number(pattern.support.files)} of ${count(pattern.support.of, "file")}; ${examplePlace(pattern)}`,
    ]),
    ...(closed.length === 0 ? [] : [`No longer followed: ${closed.map(({ key }) => printableLine(key)).join(", ")}`]),
    ...(dryRun ? ["Dry run, nothing was stored."] : patterns.length === 0 ? [] : [seen(project)]),
  ];
  return `${lines.join("\n")}\n`;
}

function printRead({ parsed, skipped, gone }: LearnedPatterns["read"]): string {
  const parts = [
    `${number(parsed)} new or changed`,
    ...(skipped > 0 ? [`${number(skipped)} skipped`] : []),
    ...(gone > 0 ? [`${number(gone)} deleted`] : []),
  ];
  return parts.join(", ");
}

function examplePlace({ examples: [first] }: LearnedPatterns["patterns"][number]["pattern"]): string {
  return first === undefined ? "" : printableLine(`${first.path}:${first.line}`);
}

function seen(project: string): string {
  return `List all: throughline memories --kind pattern -p ${printableLine(project)}`;
}

/** The JSON output. */
export function learnedJson({
  folder,
  project,
  dryRun,
  read,
  patterns,
  closed,
  commits,
  warning,
}: LearnedProject): object {
  return {
    dryRun,
    folder,
    project,
    files: read,
    patterns: patterns.map(({ pattern, memoryId, outcome }) => ({ ...pattern, memoryId, outcome })),
    closed,
    ...(commits !== undefined && { commits }),
    ...(warning !== undefined && { warning }),
  };
}
