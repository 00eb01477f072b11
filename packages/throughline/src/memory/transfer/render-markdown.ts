import { omitUndefined } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import { type Contradiction, isCurrent, isDeleted, type Memory, type MemoryKind } from "../../ports/memory.ts";

const SECTIONS: readonly (readonly [title: string, isOf: (memory: Memory) => boolean])[] = [
  ["About the user", ({ kind, category }) => kind === "fact" && category === "identity"],
  ["Preferences", ({ kind, category }) => kind === "fact" && category === "preference"],
  ["Projects", ({ kind, category }) => kind === "fact" && category === "project"],
  ["Other facts", ({ kind, category }) => kind === "fact" && category === undefined],
  ["Episodes", isOfKind("episode")],
  ["Patterns", isOfKind("pattern")],
  ["Workflows", isOfKind("workflow")],
];
const FORMER = "Past";
const RESOLUTION_TEXT: Readonly<Record<NonNullable<Contradiction["resolution"]>, string>> = {
  a_wins: "the first holds",
  b_wins: "the second holds",
  both_valid: "both hold",
  merged: "merged into one",
};

/**
 * Renders memories as a Markdown document: current memories by topic, then past ones, then contradictions.
 * Deleted memories are left out. Stored text is escaped, so it cannot change the structure of the document.
 *
 * @param memories Memories to render. Each section lists pinned ones first, then the newest.
 * @param contradictions Contradictions to list at the end; `[]` leaves the section out.
 *
 * @example
 * const { memories, contradictions } = await tl.memory.export();
 * await writeFile("memories.md", renderMemoriesMarkdown(memories, contradictions));
 */
export function renderMemoriesMarkdown(memories: readonly Memory[], contradictions: readonly Contradiction[]): string {
  const current = memories.filter(isCurrent);
  const past = memories.filter((memory) => !isCurrent(memory) && !isDeleted(memory));
  const known = new Map(memories.map((memory) => [memory.id, memory]));
  const blocks = [
    ...SECTIONS.map(([title, isOf]) => renderSection(title, current.filter(isOf))),
    renderSection(FORMER, past),
    renderContradictions(contradictions, known),
  ];
  return ["# Memories", ...blocks.filter((block) => block !== "")].join("\n\n").concat("\n");
}

function isOfKind(wanted: MemoryKind): (memory: Memory) => boolean {
  return ({ kind }) => kind === wanted;
}

function renderSection(title: string, memories: readonly Memory[]): string {
  if (memories.length === 0) return "";
  const ordered = memories.toSorted(
    (a, b) => Number(b.pinned) - Number(a.pinned) || b.validFrom - a.validFrom || (a.id < b.id ? -1 : 1),
  );
  return [`## ${title}`, "", ...ordered.map(renderMemory)].join("\n");
}

function renderMemory(memory: Memory): string {
  return `- ${inItem(memory.levels.full)}\n  *${describe(memory)}*`;
}

/** Indents continuation lines, so that they belong to the item. A trailing backslash is a line break in Markdown. */
function inItem(text: string): string {
  const lines = escapeMarkdown(text)
    .split("\n")
    .filter((line) => line !== "");
  return lines.length === 0 ? "(empty)" : lines.join("\\\n  ");
}

function describe(memory: Memory): string {
  const { mentions, pinned, byHand, validFrom, validTo, source, subject, scope } = memory;
  const facts = omitUndefined({
    since: `since ${dayOf(validFrom)}`,
    until: validTo === undefined ? undefined : `until ${dayOf(validTo)}`,
    pinned: pinned ? "pinned" : undefined,
    byHand: byHand ? "added by you" : undefined,
    mentions: mentions > 1 ? `mentioned ${mentions === 2 ? "twice" : `${mentions} times`}` : undefined,
    subject: subject === undefined || subject === "user" ? undefined : `about ${inLine(subject)}`,
    shared: scope === "user-private" ? undefined : scope === "system" ? "for everybody" : "shared in the project",
    speaker: source.speaker === undefined ? undefined : `by ${inLine(source.speaker)}`,
    session: source.sessionId === undefined ? undefined : `session ${inLine(source.sessionId)}`,
    quote: source.quote === undefined ? undefined : `“${inLine(source.quote)}”`,
  });
  return Object.values(facts).join(" · ");
}

function renderContradictions(contradictions: readonly Contradiction[], known: ReadonlyMap<string, Memory>): string {
  if (contradictions.length === 0) return "";
  const items = contradictions.map(({ memoryA, memoryB, reason, status, resolution, note, detectedAt }) => {
    const state =
      status === "open" ? "open" : `settled${resolution === undefined ? "" : `: ${RESOLUTION_TEXT[resolution]}`}`;
    const words = [state, `found ${dayOf(detectedAt)}`, inLine(reason), ...(note === undefined ? [] : [inLine(note)])];
    return `- ${nameOf(memoryA)} ↔ ${nameOf(memoryB)}\n  *${words.join(" · ")}*`;
  });
  return ["## Contradictions", "", ...items].join("\n");

  function nameOf(id: string): string {
    return inLine(known.get(id)?.levels.full ?? id);
  }
}

function inLine(text: string): string {
  return escapeMarkdown(text.replace(/\s+/g, " ").trim());
}

/** Day in UTC: `2024-05-01`. */
function dayOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "an unknown day" : date.toISOString().slice(0, 10);
}

/** Characters with a meaning anywhere in a line: emphasis, links, code, HTML, tables, entities. */
const SPECIAL_CHARACTERS = /[\\`*_[\]<>|~&]/g;
/** Markers of headings, list items, quotations and rules. They have a meaning at the start of a line only. */
const LINE_START_MARKER = /^(\s*)(?:([#>+=-])|(\d{1,9})([.)]))/;

/**
 * Escapes a text for Markdown, so that it renders literally and cannot start a heading, list, quotation, code block,
 * link or HTML. Line breaks are kept.
 *
 * @example
 * escapeMarkdown("# <b>Hi</b>"); // "\\# \\<b\\>Hi\\</b\\>"
 */
function escapeMarkdown(text: string): string {
  return stripInvisible(text)
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(SPECIAL_CHARACTERS, "\\$&")
        .replace(LINE_START_MARKER, (_all, space: string, sign?: string, number?: string, dot?: string) =>
          sign === undefined ? `${space}${number}\\${dot}` : `${space}\\${sign}`,
        ),
    )
    .join("\n");
}

const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** Removes the backslashes that `escapeMarkdown` adds. */
export function unescapeMarkdown(text: string): string {
  return text.replace(ESCAPED, "$1");
}
