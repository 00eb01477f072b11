import type { LearntPatterns } from "throughline/context";
import { count, number } from "../format-values.ts";
import { printableLine } from "../printable.ts";

/** What was learnt of a project. */
export interface LearntProject extends LearntPatterns {
  readonly folder: string;
  readonly project: string;
  readonly dryRun: boolean;
  /** Commits of its history by which what will be needed is told; nothing where none were read. */
  readonly commits?: number;
}

const OUTCOMES = { added: "new", updated: "changed", unchanged: "known", left: "yours" } as const;

/** For people: how much was read, and each pattern in a line with where it is followed. */
export function printLearnt({ folder, project, dryRun, read, patterns, closed, commits = 0 }: LearntProject): string {
  const lines = [
    `${count(read.files, "file")} of ${printableLine(folder)}: ${tell(read)}.`,
    ...(commits === 0 ? [] : [`${count(commits, "commit")} tell what changes together.`]),
    ...(patterns.length === 0 ? ["No patterns were found."] : []),
    ...patterns.flatMap(({ pattern, outcome }) => [
      `  ${OUTCOMES[outcome].padEnd(8)}${printableLine(pattern.hint)}`,
      `          ${printableLine(pattern.title)}, in ${number(pattern.support.files)} of ${count(pattern.support.of, "file")}; ${placeOf(pattern)}`,
    ]),
    ...(closed.length === 0
      ? []
      : [`Not followed any more: ${closed.map(({ key }) => printableLine(key)).join(", ")}`]),
    ...(dryRun ? ["Nothing was kept."] : patterns.length === 0 ? [] : [seen(project)]),
  ];
  return `${lines.join("\n")}\n`;
}

function tell({ parsed, passedOver, gone }: LearntPatterns["read"]): string {
  const parts = [
    `${number(parsed)} new or changed`,
    ...(passedOver > 0 ? [`${number(passedOver)} passed over`] : []),
    ...(gone > 0 ? [`${number(gone)} gone`] : []),
  ];
  return parts.join(", ");
}

function placeOf({ examples: [first] }: LearntPatterns["patterns"][number]["pattern"]): string {
  return first === undefined ? "" : printableLine(`${first.path}:${first.line}`);
}

function seen(project: string): string {
  return `All of it: throughline memories --kind pattern -p ${printableLine(project)}`;
}

/** For programs. */
export function learntJson({ folder, project, dryRun, read, patterns, closed, commits }: LearntProject): object {
  return {
    dryRun,
    folder,
    project,
    files: read,
    patterns: patterns.map(({ pattern, memoryId, outcome }) => ({ ...pattern, memoryId, outcome })),
    closed,
    ...(commits !== undefined && { commits }),
  };
}
