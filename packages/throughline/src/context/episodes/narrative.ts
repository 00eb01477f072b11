import { oneLine } from "../../internal/one-line.ts";
import type { LedgerFile } from "../../ledger/ledger.ts";
import { extractFacts } from "../../memory/extract/extract-facts.ts";
import { decisionsOf } from "./is-decision.ts";
import { plainSentences } from "./plain-sentences.ts";
import type { Task } from "./task.ts";

/** Maximum characters of a narrative, about 2,000 tokens. */
const LONGEST = 8_000;
const LIMITS = { asked: 600, further: 160, decided: 240, error: 200, command: 120, reply: 900 };
const MOST = { further: 8, rules: 5, decided: 5, files: 20, errors: 6, commands: 8 };

interface NarrativeOptions {
  readonly title: string;
  readonly files: readonly LedgerFile[];
}

/** Narrative of a task in a few paragraphs, from the request to the final reply. */
export function writeNarrative(task: Task, { title, files }: NarrativeOptions): string {
  const { ledger, commits } = task;
  const [first, ...further] = ledger.requests;
  const lines = [
    `${title}${dayOf(task)}`,
    ...list("Asked", first === undefined ? [] : [oneLine(first.text, LIMITS.asked)]),
    ...list(
      "Then",
      further.slice(-MOST.further).map(({ text }) => oneLine(text, LIMITS.further)),
    ),
    ...list(
      "Rules",
      ledger.constraints
        .filter(({ text }) => isStandingRule(text))
        .slice(-MOST.rules)
        .map(({ text }) => oneLine(text, LIMITS.decided)),
    ),
    ...list(
      "Decided",
      decisionsOf(ledger)
        .slice(-MOST.decided)
        .map((text) => oneLine(text, LIMITS.decided)),
    ),
    ...list(
      "Changed",
      files.slice(-MOST.files).map(({ path, last }) => (last === "edited" ? path : `${path} (${last})`)),
      ", ",
    ),
    ...list("Failed", errorsOf(task)),
    ...list("Ran", commandsOf(task), ", "),
    ...list(
      "Committed",
      commits.map(({ id, subject }) => `${id} ${subject}`),
    ),
    ...outcomeOf(task),
  ];
  return lines.join("\n").slice(0, LONGEST);
}

function list(label: string, entries: readonly string[], between = "; "): readonly string[] {
  return entries.length === 0 ? [] : [`${label}: ${entries.join(between)}`];
}

/** True if a rule applies beyond the session, so that it is saved as a fact too. */
function isStandingRule(text: string): boolean {
  return extractFacts([{ id: "", role: "user", text }]).length > 0;
}

function dayOf({ endedAt }: Task): string {
  return endedAt > 0 ? ` (${new Date(endedAt).toISOString().slice(0, 10)})` : "";
}

function errorsOf({ ledger }: Task): readonly string[] {
  return ledger.errors.slice(-MOST.errors).map(({ text, source, resolved }) => {
    const what = `${oneLine(source, LIMITS.command)}: ${oneLine(text, LIMITS.error)}`;
    return resolved === undefined ? `${what} (open)` : `${what} → ${resolved}`;
  });
}

function commandsOf({ ledger }: Task): readonly string[] {
  return ledger.commands
    .toSorted((a, b) => b.runs - a.runs || b.at - a.at)
    .slice(0, MOST.commands)
    .map(({ text, runs, outcome }) => {
      const times = runs > 1 ? ` ×${runs}` : "";
      return `\`${oneLine(text, LIMITS.command)}\`${times}${outcome === "failed" ? " (failed)" : ""}`;
    });
}

/** Outcome of a task: the assistant's last reply, and a note if the request is open. */
function outcomeOf({ ledger, replies }: Task): readonly string[] {
  const said = oneLine(plainSentences(replies.at(-1) ?? "").join(" "), LIMITS.reply);
  const open = ledger.requests.at(-1)?.state === "open" ? ["Left open."] : [];
  return [...(said === "" ? [] : [`In the end: ${said}`]), ...open];
}
