import { styleText } from "node:util";
import type { PreparedTurn } from "../../session/turn.ts";

interface CompactionOutput extends PreparedTurn {
  readonly file: string;
  readonly session: string;
  readonly appended: number;
  readonly summary: string | null;
}

/** Before, after, the summary and the receipt, for people. */
export function printCompaction(result: CompactionOutput): string {
  const { tokens, receipt, wasPruned, wasCompacted, summary } = result;
  const done = [wasPruned ? "outputs masked" : "", wasCompacted ? "compacted" : ""].filter(Boolean).join(", ");
  const steps = [tokens.before, tokens.afterPrune, tokens.afterCompact, tokens.final].map(number);
  const lines = [
    styleText("bold", `${result.file}: session ${result.session}, ${number(result.appended)} messages`),
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
  ];
  return `${lines.join("\n")}\n`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
