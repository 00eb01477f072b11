import { styleText } from "node:util";
import type { PreparedTurn } from "throughline";
import { number } from "../format-values.ts";

export interface CompactionOutput extends PreparedTurn {
  /** The transcript, of which nothing is kept; `null` for a kept session. */
  readonly file: string | null;
  readonly session: string;
  readonly appended: number;
  /** Of the latest compaction in the window. */
  readonly summary: string | null;
  /** The compaction that was made, where one was. */
  readonly compaction: string | null;
}

/** Before, after, the summary and the receipt, for people. */
export function printCompaction(result: CompactionOutput): string {
  const { tokens, receipt, wasPruned, wasCompacted, summary } = result;
  const done = [wasPruned ? "outputs masked" : "", wasCompacted ? "compacted" : ""].filter(Boolean).join(", ");
  const steps = [tokens.before, tokens.afterPrune, tokens.afterCompact, tokens.final].map(number);
  const lines = [
    styleText(
      "bold",
      `${result.file === null ? "" : `${result.file}: `}session ${result.session}, ${number(result.appended)} messages`,
    ),
    `  before      ${steps[0]?.padStart(11)} tokens`,
    `  pruned      ${steps[1]?.padStart(11)}`,
    `  compacted   ${steps[2]?.padStart(11)}`,
    `  after       ${steps[3]?.padStart(11)} of ${number(receipt.budget)}, ${number(result.messages.length)} messages${done === "" ? "; nothing had to be done" : `; ${done}`}`,
    "",
    ...(summary === null ? [] : [summary, ""]),
    styleText("bold", "Receipt"),
    ...receipt.items.map((item) => {
      const note = item.shortened === undefined ? "" : `, ${item.shortened.length} shortened`;
      return `  ${number(item.tokens).padStart(8)}  ${item.rule.padEnd(12)}  ${item.role.padEnd(9)}  ${item.messageId}${note}`;
    }),
    ...receipt.nearMisses.map((miss) =>
      styleText(
        "dim",
        `  ${number(miss.tokens).padStart(8)}  left out      ${miss.reason.padEnd(9)}  ${miss.messageId}`,
      ),
    ),
    ...receipt.notes,
    ...(result.file === null && result.compaction !== null
      ? ["", `Undo: throughline restore ${result.session} ${result.compaction}`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}
