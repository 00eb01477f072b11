import { styleText } from "node:util";
import { count, number, size } from "../amounts.ts";
import type { Examination } from "./examine-data.ts";

/** What is held of conversations, and what is remembered across them. */
const HELD = {
  sessions: ["session"],
  messages: ["message"],
  message_parts: ["part"],
  compaction_events: ["compaction"],
  receipts: ["receipt"],
} as const;
const REMEMBERED = { memories: ["memory", "memories"], turns: ["turn"] } as const;

const ENCRYPTED: Readonly<Record<string, readonly string[]>> = {
  checked: ["what is sealed was opened with the key"],
  "not-checked": ["what is sealed was not looked into, which takes its key"],
};

/** What was found, for people. */
export function printExamination(found: Examination): string {
  const lines = found.exists ? printFile(found) : [row("data", `nothing yet; it will be in ${found.data}`)];
  const { problems } = found;
  return `${[
    ...lines,
    row("Node", `${found.node}, SQLite ${found.sqlite}`),
    "",
    ...(problems.length === 0
      ? ["All is well."]
      : [styleText("red", `${count(problems.length, "problem")}:`), ...problems]),
  ].join("\n")}\n`;
}

function printFile(found: Examination): string[] {
  const { rows, legacyRows, logBytes } = found;
  const amountsOf = (names: Readonly<Record<string, readonly [noun: string, plural?: string]>>) =>
    Object.entries(names).flatMap(([table, words]) => {
      const amount = rows[table as keyof typeof rows];
      return amount === undefined ? [] : [count(amount, ...words)];
    });
  const [held, remembered] = [amountsOf(HELD), amountsOf(REMEMBERED)];
  const contradictions = count(found.openContradictions, "open contradiction");
  return [
    row("data", found.data),
    row("size", `${size(found.bytes)}${logBytes === 0 ? "" : `, ${size(logBytes)} in its log`}`),
    ...(found.version === null ? [] : [row("version", versionText(found.version, found.latestVersion ?? 0))]),
    ...(ENCRYPTED[found.encryption ?? "none"] ?? []).map((text) => row("encrypted", text)),
    ...(held.length === 0 ? [] : [row("holds", held.join(", "))]),
    ...(remembered.length === 0 ? [] : [row("remembers", [...remembered, contradictions].join(", "))]),
    ...(legacyRows === 0 ? [] : [row("old form", `${count(legacyRows, "message")}, converted whenever they are read`)]),
    row("checks", found.problems.length === 0 ? "integrity and references are whole" : "see below"),
    row("used by", users(found.usedBy)),
  ];
}

function versionText(version: number, latest: number): string {
  if (version < latest) return `${number(version)}; the next command that writes brings it to ${number(latest)}`;
  return number(version);
}

function users(usedBy: readonly number[] | null): string {
  if (usedBy === null) return "this system does not tell";
  return usedBy.length === 0 ? "nobody else" : `${usedBy.length === 1 ? "process" : "processes"} ${usedBy.join(", ")}`;
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`;
}
