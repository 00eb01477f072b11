import { styleText } from "node:util";
import type { Role } from "throughline/messages";
import { count, number } from "../format-values.ts";
import { printableLine } from "../printable.ts";

const NEWEST_SHOWN = 40;

export interface ShownMessage {
  readonly id: string;
  readonly role: Role;
  readonly tokens: number;
  /** The compaction that it stands for. */
  readonly compaction: string | null;
  /** Results whose outputs are masked: recall them as `part:<id>`. */
  readonly masked: readonly string[];
  readonly preview: string;
}

export interface ShownWindow {
  readonly session: string;
  /** How many messages were ever appended. */
  readonly appended: number;
  readonly compactions: number;
  readonly model: string;
  /** As the model's provider would count them. */
  readonly tokens: number;
  readonly budget: number;
  readonly warning: string | null;
  readonly messages: readonly ShownMessage[];
}

/** The window for people: how full it is, and a line for each message. */
export function printWindow(window: ShownWindow, all = false): string {
  const { messages, tokens, budget } = window;
  const hidden = all ? 0 : Math.max(0, messages.length - NEWEST_SHOWN);
  const share = Math.round((tokens / budget) * 100);
  const lines = [
    styleText(
      "bold",
      `session ${printableLine(window.session)}: ${count(window.appended, "message")}, ${count(window.compactions, "compaction")}`,
    ),
    `  ${count(messages.length, "message")} in the window, ${number(tokens)} of ${number(budget)} tokens (${number(share)}%)`,
    "",
    ...(hidden === 0 ? [] : [styleText("dim", `  … ${count(hidden, "older message")}; --all prints every one.`)]),
    ...messages.slice(hidden).map(row),
    ...(window.warning === null ? [] : ["", styleText("yellow", window.warning)]),
  ];
  return `${lines.join("\n")}\n`;
}

function row({ id, role, tokens, compaction, masked, preview }: ShownMessage): string {
  const notes = [
    compaction === null ? "" : `stands for ${printableLine(compaction)}`,
    masked.length === 0 ? "" : `${masked.length} masked`,
  ];
  const note = notes.filter(Boolean).join(", ");
  const name = `${printableLine(id)}${note === "" ? "" : ` (${note})`}`;
  return `  ${number(tokens).padStart(8)}  ${role.padEnd(9)}  ${name}  ${styleText("dim", preview)}`.trimEnd();
}
