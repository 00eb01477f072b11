import type { MemoryIndexEntry } from "../memory-index-entry.ts";
import type { Member } from "./rules/candidate.ts";
import { AROUND, type Relevance } from "./score-candidates.ts";

/** Part of the rendered context. */
export type Section =
  | "pinned"
  | "contradictions"
  | "errors"
  | "rules"
  | "preferences"
  | "commands"
  | "file-decisions"
  | "files"
  | "decisions"
  | "open"
  | "last"
  | "work"
  | "patterns"
  | "next-files"
  | "said"
  | "known"
  | "user";

/** Sections in the order in which a reader needs them. */
export const SECTIONS: readonly Section[] = [
  "pinned",
  "contradictions",
  "errors",
  "rules",
  "preferences",
  "commands",
  "file-decisions",
  "files",
  "decisions",
  "open",
  "last",
  "work",
  "patterns",
  "next-files",
  "said",
  "known",
  "user",
];

const HEADINGS: Readonly<Record<Section, string>> = {
  pinned: "Pinned",
  contradictions: "Contradictions: ask which holds",
  errors: "Errors",
  rules: "Rules",
  preferences: "Preferences",
  commands: "Commands",
  "file-decisions": "Decided about these files",
  files: "Known about these files",
  decisions: "Decided in this project",
  open: "Open work",
  last: "Where the work stands",
  work: "Recent work",
  patterns: "Patterns of the code",
  "next-files": "Files likely needed",
  said: "Said earlier",
  known: "Also known",
  user: "About the user",
};

/** Rules whose memories report errors. */
const ERROR_RULES = new Set(["similar-error", "recent-error", "fix-here", "known-issue", "test-failure"]);

/** Heading of a section, as a line. */
export function headingOf(section: Section): string {
  return `## ${HEADINGS[section]}\n`;
}

/**
 * Section of a candidate: by its rule for pins, contradictions and errors; otherwise by the kind and role of its memory.
 *
 * @param isUnfinished true for an episode whose work was not finished
 */
export function sectionOf(
  rule: string,
  [first]: readonly Member[],
  relevance: Relevance,
  isUnfinished: boolean,
): Section {
  if (rule === "pinned" || rule === "pinned-contradiction") return "pinned";
  if (rule === "open-contradiction") return "contradictions";
  if (first?.entry === undefined) return "said";
  const { kind } = first.entry;
  if (ERROR_RULES.has(rule) && (kind === "fact" || first.withFailure === true)) return "errors";
  if (kind === "workflow") return "commands";
  if (kind === "pattern") return "patterns";
  if (kind === "episode") return isContinued(first.entry, relevance) ? "last" : isUnfinished ? "open" : "work";
  return sectionOfFact(first.entry, isAboutFiles(first.entry, relevance));
}

function sectionOfFact({ roles }: MemoryIndexEntry, isAbout: boolean): Section {
  if (roles.includes("convention")) return "rules";
  if (roles.includes("preference")) return "preferences";
  if (roles.includes("open-question")) return "open";
  if (roles.includes("decision")) return isAbout ? "file-decisions" : "decisions";
  if (roles.includes("person")) return "user";
  return isAbout ? "files" : "known";
}

/** True if a memory came of the session that the work continues from: this one, or the last one. */
export function isContinued({ sessionId }: MemoryIndexEntry, { signals }: Relevance): boolean {
  return sessionId !== undefined && (sessionId === signals.lastSession || sessionId === signals.sessionId);
}

/** True if a memory is about files that the signals name. Files of the last session do not count. */
function isAboutFiles({ id }: MemoryIndexEntry, { signals: { file, recentFiles }, near }: Relevance): boolean {
  return (file !== undefined || recentFiles.length > 0) && (near.get(id)?.strength ?? 0) >= AROUND;
}
