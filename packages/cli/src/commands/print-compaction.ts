import { styleText } from "node:util";
import type { PreparedTurn } from "throughline";
import { count, number } from "../terminal/print-values.ts";
import { printable } from "../terminal/printable.ts";

/** Result of the command; `--json` prints all of it. */
export interface CompactionOutput extends PreparedTurn {
  /** The transcript; `null` for a stored session. */
  readonly file: string | null;
  readonly session: string;
  readonly appended: number;
  /** Summary of the latest compaction in the window. */
  readonly summary: string | null;
  /** Id of the model that wrote the new summary, or "rules"; `null` if there is no new one. */
  readonly summarizedBy: string | null;
  /** Id of the new compaction, if one was made. */
  readonly compaction: string | null;
}

/** Rows of the receipt above which neighbors with the same rule share a row. */
const MAX_ROWS = 24;

/** Prints token counts, the summary and the receipt. */
export function printCompaction(result: CompactionOutput): string {
  const { receipt, summary } = result;
  const lines = [
    ...header(result),
    "",
    ...(summary === null ? [] : [printable(summary), ""]),
    styleText("bold", "Receipt"),
    ...receiptRows(receipt.items),
    ...leftOutRows(receipt.nearMisses),
    ...receipt.notes,
    ...(result.file === null && result.compaction !== null
      ? ["", `Undo: throughline restore ${result.session} ${result.compaction}`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Explains a missing summary. */
export function noNote({ tokens, receipt }: CompactionOutput): string {
  return `No note: the session fits the budget, with ${number(tokens.final)} of ${count(receipt.budget, "token")}.\n`;
}

function header({ tokens, receipt, messages, ...result }: CompactionOutput): readonly string[] {
  const { wasPruned, wasCompacted, summarizedBy } = result;
  const done = [
    wasPruned ? "tool outputs masked" : "",
    wasCompacted ? `compacted, summary by ${printable(summarizedBy ?? "rules")}` : "",
  ].filter(Boolean);
  const steps = [tokens.before, tokens.afterPrune, tokens.afterCompact, tokens.final].map(number);
  const file = result.file === null ? "" : `${result.file}: `;
  return [
    styleText("bold", `${file}session ${result.session}, ${count(result.appended, "message")}`),
    `  before      ${steps[0]?.padStart(11)} tokens`,
    `  pruned      ${steps[1]?.padStart(11)}`,
    `  compacted   ${steps[2]?.padStart(11)}`,
    `  after       ${steps[3]?.padStart(11)} of ${number(receipt.budget)}, ${count(messages.length, "message")}; ${done.join(", ") || "nothing to do"}`,
  ];
}

type ReceiptItem = PreparedTurn["receipt"]["items"][number];

/** One row per message; in a long receipt, one row per run of messages with the same rule. */
function receiptRows(items: readonly ReceiptItem[]): readonly string[] {
  const runs: ReceiptItem[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (items.length > MAX_ROWS && run?.[0]?.rule === item.rule) run.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    if (first === undefined) return [];
    const tokens = run.reduce((sum, item) => sum + item.tokens, 0);
    const shortened = run.reduce((sum, item) => sum + (item.shortened?.length ?? 0), 0);
    const note = shortened === 0 ? "" : `, ${shortened} shortened`;
    const what = run.length === 1 ? `${first.role.padEnd(9)}  ${first.messageId}` : count(run.length, "message");
    return [`  ${number(tokens).padStart(8)}  ${first.rule.padEnd(12)}  ${what}${note}`];
  });
}

/** The newest messages that the window does not contain, by reason. */
function leftOutRows(misses: PreparedTurn["receipt"]["nearMisses"]): readonly string[] {
  const byReason = Map.groupBy(misses, ({ reason }) => reason);
  return [...byReason].map(([reason, group]) => {
    const tokens = number(group.reduce((sum, miss) => sum + miss.tokens, 0)).padStart(8);
    return styleText(
      "dim",
      `  ${tokens}  left out      the newest ${count(group.length, "message")} that were ${reason}; --json lists them`,
    );
  });
}
