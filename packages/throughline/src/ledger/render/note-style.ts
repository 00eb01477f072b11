import type { NoteSection } from "./note-draft.ts";

/** Kind of reader of a note: an agent that works with files and tools, or a chat. */
export type NoteStyleName = "agent" | "chat";

/** Reader of a note: one for a model lists the names that its next calls may need, one for a person only a few. */
export type NoteReader = "model" | "person";

/** Titles of a note. */
export interface NoteStyle {
  readonly name: NoteStyleName;
  readonly titles: Readonly<Record<NoteSection, string>>;
}

const AGENT_TITLES: NoteStyle["titles"] = {
  requests: "Requests and what happened",
  state: "State and next step",
  rules: "Rules",
  files: "Files",
  changes: "Latest changes",
  commands: "Commands",
  errors: "Open errors",
  names: "Names",
};

const CHAT_TITLES: NoteStyle["titles"] = {
  ...AGENT_TITLES,
  requests: "What was said",
  state: "What is open",
  rules: "What the user wants",
  errors: "Errors",
};

/** Titles of earlier versions, which stored summaries may still have. */
const EARLIER_TITLES = ["Requests", "Constraints", "Open to-dos", "Errors", "Decisions"];

/** Titles of all sections of notes. Prose of a model may not use them. */
export const SECTION_TITLES: readonly string[] = [
  ...new Set([...Object.values(AGENT_TITLES), ...Object.values(CHAT_TITLES), ...EARLIER_TITLES]),
];

/** Titles of the sections with the user's requests and rules. */
export const REQUEST_TITLES: readonly string[] = [AGENT_TITLES.requests, CHAT_TITLES.requests, "Requests"];

export const RULE_TITLES: readonly string[] = [AGENT_TITLES.rules, CHAT_TITLES.rules, "Constraints"];

/**
 * The titles of a note. Paths are relative to the root, which the titles of files and names give; a person reads it
 * once.
 */
export function noteStyle(name: NoteStyleName, root = "", reader: NoteReader = "model"): NoteStyle {
  const titles = name === "chat" ? CHAT_TITLES : AGENT_TITLES;
  if (root === "") return { name, titles };
  const files = `${titles.files} (relative to ${root})`;
  if (reader === "person") return { name, titles: { ...titles, files } };
  const inside = root.replace(/^.*\/\.|^\//, "");
  return { name, titles: { ...titles, files, names: `${titles.names} (paths are relative to ${inside})` } };
}
