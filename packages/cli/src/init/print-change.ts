import process from "node:process";
import { styleText } from "node:util";
import { type DiffLine, diffLines } from "../integrations/diff-lines.ts";
import { printable } from "../printable.ts";
import type { ConfigChange } from "./config-change.ts";

const SIGNS: Readonly<Record<DiffLine["type"], string>> = { same: " ", removed: "-", added: "+", gap: "…" };
const COLOURS = { same: "reset", removed: "red", added: "green", gap: "dim" } as const;

/** What would become of a file, as a diff for people. */
export function printDiff({ file, before, after }: ConfigChange): string {
  const head = [`--- ${before === undefined ? "nothing" : file}`, `+++ ${after === undefined ? "nothing" : file}`];
  const lines = diffLines(before ?? "", after ?? "").map(({ type, text }) =>
    styleText(COLOURS[type], printable(`${SIGNS[type]} ${text}`).trimEnd(), { stream: process.stdout }),
  );
  return `${[...head, ...lines].join("\n")}\n`;
}

/** The same for programs: only what goes and what comes. */
export function changedLines({ before, after }: ConfigChange): readonly string[] {
  return diffLines(before ?? "", after ?? "")
    .filter(({ type }) => type === "added" || type === "removed")
    .map(({ type, text }) => `${SIGNS[type]} ${text}`);
}
