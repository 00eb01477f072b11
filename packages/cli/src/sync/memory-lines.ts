import type { Memory } from "throughline";
import { readRoles } from "throughline/internal/engine";
import { findSecrets } from "throughline/internal/util";
import { cleanItem } from "./memory-block.ts";

/** Sections of the block, in order. */
export const SECTIONS = ["Rules", "Commands", "Decisions"] as const;
export type SectionName = (typeof SECTIONS)[number];

/** A text that one or more current memories have, as a line of the block. */
export interface MemoryLine {
  readonly text: string;
  readonly memories: readonly Memory[];
  /** Section of a new line; `undefined` if the memories are only kept if the file has them already. */
  readonly section: SectionName | undefined;
}

/** Characters of a line; longer memories are not one sentence. */
const MAX_LINE_LENGTH = 400;
/** A text with a quotation of the message that it answers makes no sense without it. */
const ANSWER = /\[re: /;
/** Paths in the home folder of a person. */
const HOME_PATH = /(?:\/(?:Users|home)\/|[A-Za-z]:\\Users\\)[^\s/\\]+/;
/** Claude Code and Gemini CLI read the file after an @. */
const FILE_INCLUSION = /(?:^|\s)@[~./]/;
const COMMAND_KEY = /(?:^|_)command$/;

/**
 * The lines of a project's memories, oldest first. Memories of other projects, and those about people, are left out.
 *
 * @param root folder of the project's files: paths in it become relative
 */
export function memoryLines(
  memories: readonly Memory[],
  { project, root }: { readonly project: string; readonly root: string },
): ReadonlyMap<string, MemoryLine> {
  const own = memories.filter(({ projectId, scope }) => projectId === project && scope !== "system");
  const lines = new Map<string, MemoryLine>();
  for (const memory of own.toSorted(byAge)) {
    const text = lineOf(memory, [root, project]);
    if (text === "") continue;
    const known = lines.get(text);
    const section = known?.section ?? (isPublic(text) ? sectionOf(memory) : undefined);
    lines.set(text, { text, memories: [...(known?.memories ?? []), memory], section });
  }
  return lines;
}

function byAge(a: Memory, b: Memory): number {
  return a.validFrom - b.validFrom || (a.id < b.id ? -1 : 1);
}

function lineOf(memory: Memory, roots: readonly string[]): string {
  const text = cleanItem(memory.kind === "workflow" ? commandLine(memory) : memory.levels.full);
  return roots.reduce((line, root) => line.replaceAll(`${root}/`, "./"), text);
}

/**
 * The commands of a workflow as code: "To deploy: `make build && make ship`". Learned workflows have them in their
 * summary, without the number of runs; others are written as they were saved.
 */
function commandLine({ byHand, levels: { full, summary } }: Memory): string {
  const [title = "", ...steps] = full.trim().split(/\s*\n\s*/);
  const saved = steps.length === 0 ? title : `${title.replace(/:$/, "")}: ${steps.join("; ")}`;
  const text = !byHand && summary.includes(": ") ? summary : saved;
  const [, when, commands] = /^([^:`]{1,80}): ([^`]+)$/.exec(text.trim()) ?? [];
  return commands === undefined ? text : `${when}: \`${commands}\``;
}

/** True if a text may be in a file that others read, and is readable there. */
function isPublic(text: string): boolean {
  if (text.length > MAX_LINE_LENGTH || ANSWER.test(text)) return false;
  return !HOME_PATH.test(text) && !FILE_INCLUSION.test(text) && findSecrets(text).length === 0;
}

function sectionOf(memory: Memory): SectionName | undefined {
  const { kind, key = "", category, subject = "user" } = memory;
  if (kind === "workflow" || (kind === "fact" && COMMAND_KEY.test(key))) return "Commands";
  if (kind !== "fact" || category === "identity") return undefined;
  const roles = readRoles(memory);
  if (roles.includes("decision")) return "Decisions";
  // Preferences of other people are not rules of the project.
  const isRule = roles.includes("convention") || (roles.includes("preference") && /^(?:user|project)$/.test(subject));
  return isRule ? "Rules" : undefined;
}
