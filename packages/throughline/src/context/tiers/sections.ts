import { isSameFile } from "../file-paths.ts";
import type { MemoryIndexEntry } from "../memory-index-entry.ts";
import { AROUND, type Candidate, type Member, type Relevance } from "./score-candidates.ts";
import type { MemoryTexts } from "./text-variants.ts";

/** Headings by section, in the order in which a reader needs them. */
const HEADINGS = {
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
} as const;

/** Part of the rendered context. */
export type Section = keyof typeof HEADINGS;
export const SECTIONS = Object.keys(HEADINGS) as readonly Section[];

/** Rules whose memories report errors. */
const ERROR_RULES = new Set(["similar-error", "recent-error", "fix-here", "known-issue", "test-failure"]);

export function headingOf(section: Section): string {
  return `## ${HEADINGS[section]}\n`;
}

/**
 * Section of a candidate: by its rule for pins, contradictions and errors; otherwise by the kind and role of its
 * memory.
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

/** Maximum number of changed files that the text of an episode names. */
const MAX_CHANGED = 10;

/**
 * Files that the text of each memory names, by memory id. Episodes of one part of a project change the same files, so
 * each of these is named once: by the episode that the work continues from, in the list of likely files, or by the
 * first candidate.
 */
export function shareFiles(
  candidates: readonly Candidate[],
  texts: ReadonlyMap<string, MemoryTexts>,
  relevance: Relevance,
): ReadonlyMap<string, readonly string[]> {
  const members = candidates.flatMap((candidate) => candidate.members);
  const entries = new Map(members.flatMap(({ entry }) => (entry === undefined ? [] : [[entry.id, entry] as const])));
  const isLast = (entry: MemoryIndexEntry): boolean => isContinued(entry, relevance);
  const named = new Set<string>();
  const shared = new Map<string, readonly string[]>();
  const share = (entry: MemoryIndexEntry): void => {
    const files = filesToShow(entry, relevance.wantedFiles);
    // The files of a workflow are those that its sessions happened to change.
    if (entry.kind !== "episode") shared.set(entry.id, entry.kind === "workflow" ? [] : files);
    else {
      const changed = texts.get(entry.id)?.changed ?? new Set();
      const own = files.filter((file) => changed.has(file) && !named.has(file)).slice(0, MAX_CHANGED);
      for (const file of own) named.add(file);
      shared.set(entry.id, own);
    }
  };
  for (const entry of entries.values()) if (isLast(entry)) share(entry);
  for (const { file } of members) if (file !== undefined) named.add(file);
  for (const entry of entries.values()) if (!isLast(entry)) share(entry);
  return shared;
}

/** Files of a memory: those in `wanted` first and in that order, then the others. */
function filesToShow({ files }: MemoryIndexEntry, wanted: readonly string[]): readonly string[] {
  if (files.length <= 1) return files;
  const shared = wanted.flatMap((path) => files.filter((one) => isSameFile(one, path)));
  const shown: string[] = [];
  for (const file of [...shared, ...files]) if (!shown.some((one) => isSameFile(one, file))) shown.push(file);
  return shown;
}
