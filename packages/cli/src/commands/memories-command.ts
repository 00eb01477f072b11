import { readFile } from "node:fs/promises";
import { styleText } from "node:util";
import { type Command, Option } from "commander";
import {
  createThroughline,
  type Memory,
  type MemoryKind,
  type MemoryScope,
  type MemoryService,
  ThroughlineError,
} from "throughline";
import { cutMiddle, omitUndefined, redactSecrets } from "throughline/internal/util";
import {
  AUDIT_KINDS,
  type Audit,
  type AuditFinding,
  type AuditKind,
  type FactCategory,
  type ForeignAudit,
} from "throughline/memory";
import type { CommandOptions } from "../data/open-data.ts";
import { allMemories, memoryLine, notesOf, nothingRemembered, withStoredMemory } from "../data/stored-memory.ts";
import {
  allProjectsOption,
  categoryOption,
  jsonListOption,
  jsonOption,
  kindOption,
  projectOption,
  scopeOption,
  wholeNumber,
} from "../terminal/options.ts";
import { count, printableLine, printResult } from "../terminal/print-values.ts";
import { InputError } from "../usage-error.ts";

interface MemoriesOptions extends CommandOptions {
  readonly kind?: MemoryKind;
  readonly category?: FactCategory;
  readonly scope?: MemoryScope;
  readonly all?: boolean;
}

export function addMemoriesCommand(program: Command): void {
  const command = program
    .command("memories")
    .summary("List memories")
    .description("List the memories that are true now, newest first. Find problems in them with `memories audit`.")
    .addOption(kindOption("Only memories of this kind"))
    .addOption(categoryOption("Only facts of this category"))
    .addOption(scopeOption("Only memories of this scope"))
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .option("-a, --all", "Include memories that ended or were archived")
    .addOption(jsonListOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline memories --category preference\n  throughline memories --all --json",
    )
    .action((_, self: Command) => listMemories(self.optsWithGlobals()));
  addAuditCommand(command);
}

async function listMemories(options: MemoriesOptions): Promise<void> {
  const found = await withStoredMemory(options, (memory) => wantedMemories(memory, options));
  printResult(options, found ?? [], () =>
    found === undefined ? nothingRemembered(options) : printMemories(found, options),
  );
}

/** Newest first. */
async function wantedMemories(
  memory: MemoryService,
  { kind, category, scope, all }: MemoriesOptions,
): Promise<readonly Memory[]> {
  const memories = await allMemories(memory, omitUndefined({ kinds: kind && [kind], category, scope, all }));
  return memories.toReversed().sort((a, b) => b.lastSeenAt - a.lastSeenAt);
}

/** Prints one line per memory. If all are of one project, it is named once, below them. */
function printMemories(memories: readonly Memory[], { all = false }: { readonly all?: boolean }): string {
  if (memories.length === 0) {
    return all
      ? "No matching memories.\n"
      : "No matching memories; --all includes those that ended or were archived.\n";
  }
  const projects = [...new Set(memories.flatMap(({ projectId }) => projectId ?? []))];
  const [only] = projects.length === 1 ? projects : [];
  const rows = memories.map((memory) => [printableLine(memory.id), memory.category ?? memory.kind] as const);
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = memories.map((memory, i) => {
    const cells = (rows[i] ?? []).map((cell, at) => cell.padEnd(widths[at] ?? 0));
    const notes = notesOf(only === undefined ? memory : { ...memory, projectId: undefined });
    const note = notes.length === 0 ? "" : `  ${styleText("dim", `(${notes.join(", ")})`)}`;
    return `${cells.join("  ")}  ${memoryLine(memory)}${note}`;
  });
  const own = memories.filter(({ projectId }) => projectId === only).length;
  const ofProject =
    only === undefined ? "" : `, ${own === memories.length ? "all" : own} of project ${printableLine(only)}`;
  return `${[...lines, `${count(memories.length, "memory", "memories")}${ofProject}`].join("\n")}\n`;
}

/** Memories of one finding that are printed. */
const MAX_SHOWN = 5;
const MAX_LINE_LENGTH = 160;

interface AuditOptions extends CommandOptions {
  readonly limit: number;
}

export function addAuditCommand(memories: Command): void {
  memories
    .command("audit")
    .argument("[file]", "Memories of another program: mem0 export, memory.json of the MCP server, MEMORY.md, CLAUDE.md")
    .summary("Find problems in stored memories")
    .description(
      "Find secrets, contradictions, duplicates, recalled text that was stored again, and memories that were never " +
        "used: in your memories, or in a file of another program. Changes and imports nothing.",
    )
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .addOption(new Option("-n, --limit <number>", "Findings of each kind to print").argParser(wholeNumber).default(10))
    .addOption(jsonOption())
    .addHelpText("after", "\nExamples:\n  throughline memories audit\n  throughline memories audit CLAUDE.md --json")
    .action((file: string | undefined, _, command: Command) => audit(file, command.optsWithGlobals()));
}

const NOTHING = { checked: 0, total: 0, findings: [] };

async function audit(file: string | undefined, options: AuditOptions): Promise<void> {
  const report = file === undefined ? await auditData(options) : await auditFile(file);
  printResult(options, report === undefined ? NOTHING : toJson(report, options.limit), () =>
    report === undefined ? nothingRemembered(options) : printAudit(report, options.limit, file),
  );
}

/** An audit with the memories that its findings name. */
type AuditReport = Audit & Pick<ForeignAudit, "memories"> & Partial<Pick<ForeignAudit, "format" | "hasUsage">>;

function auditData(options: AuditOptions): Promise<AuditReport | undefined> {
  return withStoredMemory(options, async (memory) => {
    const audit = await (await memory.browser()).audit();
    const memories = await memory.get([...new Set(audit.findings.flatMap(({ ids }) => ids))]);
    return { ...audit, memories: new Map(memories.map((one) => [one.id, one])) };
  });
}

async function auditFile(file: string): Promise<ForeignAudit> {
  const throughline = await createThroughline();
  try {
    const text = await readFile(file, "utf8");
    return await (await throughline.memory.browser()).auditForeign(text);
  } catch (error) {
    throw new InputError(file, error, ThroughlineError.isInstance(error) ? error.hint : undefined);
  } finally {
    await throughline.close();
  }
}

/** `total` counts all findings, also those beyond the limit. */
function toJson({ memories, findings, ...about }: AuditReport, limit: number) {
  const printed = AUDIT_KINDS.flatMap((kind) => findings.filter((finding) => finding.kind === kind).slice(0, limit));
  const found = printed.map(({ kind, reason, ids }) => ({
    kind,
    reason,
    memories: ids.map((id) => redactedMemory(memories, id)),
  }));
  return { ...about, total: findings.length, findings: found };
}

function redactedMemory(memories: AuditReport["memories"], id: string) {
  return { id, text: redactSecrets(memories.get(id)?.levels.full ?? "") };
}

const HEADINGS: Readonly<Record<AuditKind, string>> = {
  secret: "Secrets",
  contradiction: "Contradictions",
  duplicate: "Duplicates",
  recalled: "Recalled text stored again",
  unused: "Long unused",
};

function printAudit(report: AuditReport, limit: number, file: string | undefined): string {
  const { checked, findings, format, hasUsage = true } = report;
  const where = file === undefined ? "" : ` in ${printableLine(file)} (${format})`;
  const sections = AUDIT_KINDS.flatMap((kind) => {
    const found = findings.filter((finding) => finding.kind === kind);
    return found.length === 0 ? [] : ["", ...printKind(kind, found, report, limit)];
  });
  const lines = [
    `${count(checked, "memory", "memories")} checked${where}, ${findings.length === 0 ? "no findings" : count(findings.length, "finding")}.`,
    ...(hasUsage ? [] : ["Uses are not recorded there, so unused memories are unknown."]),
    ...sections,
  ];
  return `${lines.join("\n")}\n`;
}

function printKind(
  kind: AuditKind,
  found: readonly AuditFinding[],
  { memories }: AuditReport,
  limit: number,
): string[] {
  const left = found.length - limit;
  return [
    styleText("bold", `${HEADINGS[kind]} (${found.length})`),
    ...found.slice(0, limit).flatMap(({ reason, ids }) => {
      const more = ids.length - MAX_SHOWN;
      const lines = ids.slice(0, MAX_SHOWN).map((id) => {
        const { text } = redactedMemory(memories, id);
        return `    ${printableLine(id)}  ${cutMiddle(printableLine(text), MAX_LINE_LENGTH)}`;
      });
      return [`  ${printableLine(reason)}`, ...lines, ...(more > 0 ? [`    … and ${count(more, "other")}`] : [])];
    }),
    ...(left > 0 ? [`  … and ${count(left, "other")}; --limit prints more.`] : []),
  ];
}
