import { cutMiddle } from "../internal/one-line.ts";
import type { FileAction, Ledger, LedgerCommand, LedgerFile } from "./ledger.ts";
import { type LedgerLine, ledgerLine, type SectionName } from "./ledger-line.ts";
import { heatByName } from "./names.ts";
import { wasChanged } from "./note-files.ts";
import { wordLines } from "./word-lines.ts";

const LOOKS = /^(cat|ls|head|tail|grep|rg|find|wc|echo|pwd|which|tree|sed -n|git (status|diff|log|show|branch))\b/;
const ACTIONS: readonly FileAction[] = ["created", "written", "edited", "renamed", "deleted", "read"];

/** What the ledger has to say, section by section, the most important first in each. */
export function ledgerLines(ledger: Ledger): readonly LedgerLine[] {
  return [
    ...wordLines(ledger),
    ...fileLines(ledger),
    ...commandLines(ledger.commands),
    ...todoLines(ledger),
    ...errorLines(ledger),
    ...ledger.decisions.toReversed().map(({ text }) => line("Decisions", [text, cutMiddle(text, 160)])),
  ];
}

/** What was done to a file: `created, edited 3×`. That a changed file was read goes without saying. */
export function fileLine(file: LedgerFile): LedgerLine {
  const changed = wasChanged(file);
  const done = ACTIONS.flatMap((action) => {
    if (changed && action === "read") return [];
    const times = file.actions[action];
    if (times === undefined) return [];
    const to = action === "renamed" && file.to !== undefined ? ` to ${file.to}` : "";
    return [`${action}${to}${times > 1 ? ` ${times}×` : ""}`];
  });
  return { section: "Files", forms: [`- ${file.path} (${done.join(", ")})`], file, critical: changed };
}

/** Files in use first; one that was changed weighs more than one that was only looked at. */
function fileLines(ledger: Ledger): readonly LedgerLine[] {
  const heat = heatByName(ledger);
  return ledger.files
    .map((file) => ({ file, score: heat(file.path) * (wasChanged(file) ? 2 : 1) }))
    .sort((a, b) => b.score - a.score || b.file.at - a.file.at)
    .map(({ file }) => fileLine(file));
}

/** What did something before what only looked; of several attempts at one thing, the last. */
function commandLines(commands: readonly LedgerCommand[]): readonly LedgerLine[] {
  const newest = commands.toReversed();
  const last = newest.filter((command, index) => newest.findIndex(({ gist }) => gist === command.gist) === index);
  return [...last.filter((command) => !LOOKS.test(command.gist)), ...last.filter(({ gist }) => LOOKS.test(gist))].map(
    ({ text, runs, outcome, exitCode, says }) => {
      const code = exitCode === undefined || exitCode === 0 ? "" : ` (exit ${exitCode})`;
      const how = `${outcome}${code}${runs > 1 ? `, ${runs} runs` : ""}`;
      const said = says === undefined ? "" : `: ${says}`;
      return line("Commands", [
        `\`${text}\` ${how}${said}`,
        `\`${cutMiddle(text, 140)}\` ${how}${cutMiddle(said, 100)}`,
        `\`${cutMiddle(text, 70)}\` ${how}`,
      ]);
    },
  );
}

function todoLines({ todos }: Ledger): readonly LedgerLine[] {
  const open = todos.filter(({ status }) => status !== "completed");
  return [
    ...open
      .filter(({ status }) => status === "in_progress")
      .map(({ text }) => line("Open to-dos", [`[ ] in_progress: ${text}`], true)),
    ...open.filter(({ status }) => status === "pending").map(({ text }) => line("Open to-dos", [`[ ] ${text}`], true)),
  ];
}

function errorLines({ errors }: Ledger): readonly LedgerLine[] {
  const newest = errors.toReversed();
  const open = newest.filter(({ resolved }) => resolved === undefined);
  const solved = newest.filter(({ resolved }) => resolved !== undefined);
  return [
    ...open.map(({ text, source }) =>
      line(
        "Errors",
        [`Open: ${text} (from \`${cutMiddle(source, 80)}\`)`, `Open: ${text}`, `Open: ${cutMiddle(text, 120)}`],
        true,
      ),
    ),
    ...solved.map(({ text, source, resolved }) =>
      line("Errors", [
        `Resolved: ${text} (from \`${cutMiddle(source, 80)}\`); ${resolved}`,
        `Resolved: ${cutMiddle(text, 120)}; ${resolved}`,
      ]),
    ),
  ];
}

function line(section: SectionName, texts: readonly string[], critical = false): LedgerLine {
  return ledgerLine(
    section,
    texts.map((text) => `- ${text}`),
    critical,
  );
}
