import { omitUndefined } from "../internal/json.ts";
import { isStopWord } from "../language/stop-words.ts";
import { termHashes } from "../language/terms.ts";
import { findIdentifiers } from "../ledger/find-identifiers.ts";
import { normalizeKey } from "../memory/facts/slots.ts";
import type { Memory, MemoryKind } from "../ports/memory.ts";
import { cleanPath, placeNames } from "./file-paths.ts";
import { isFoundByWords, type Role, readRoles } from "./tiers/roles/read-roles.ts";

/** Properties of a current memory that assembly uses, without its text. */
export interface MemoryIndexEntry {
  readonly id: string;
  readonly space: string;
  readonly kind: MemoryKind;
  readonly roles: readonly Role[];
  /** Paths of files in the memory, as written. */
  readonly files: readonly string[];
  /** Hashes of word stems. Empty if no rule finds the memory by words. */
  readonly words: Uint32Array;
  /** Topic in the index tier. Empty if the memory has no public topic. */
  readonly topic: string;
  /** Name of the memory in the index tier. Empty if it has no descriptive one. */
  readonly pointer: string;
  readonly links: readonly string[];
  readonly subject?: string;
  readonly speaker?: string;
  readonly owner: string;
  readonly projectId?: string;
  readonly sessionId?: string;
  /** Message that it was extracted from. Undefined if it was saved on purpose. */
  readonly messageId?: string;
  readonly pinned: boolean;
  /** True if it was stated more than once. */
  readonly isRepeated: boolean;
  readonly validFrom: number;
  readonly lastSeenAt: number;
  /** Known times at which a workflow was run. */
  readonly doneAt?: readonly number[];
}

/** Characters of a memory that are indexed. */
const MAX_TEXT_LENGTH = 8_000;
const MAX_FILES = 24;
const MAX_WORDS = 120;
const IS_FILE = /^[\w@~+.-]*(?:\/[\w@~+.-]+)*\.[A-Za-z][A-Za-z0-9]{0,5}$/;
export const NO_WORDS: Uint32Array = new Uint32Array();
/** Words that make no topic: record numbers and generic verbs. */
const SAYS_LITTLE =
  /^(?:adr-?\d+|\d+|never|always|every|each|new|old|use[sd]?|using|add(?:ed)?|fix(?:ed)?|look|check|recheck|update[sd]?|make|made|runs?|tr(?:y|ies)|err|errors?|touch|turn|gets?|sets?|keep|put|see|goes|prefers?|preferences?|likes?|dislikes?|wants?|instructions?|notes?|goal|uses|thinks?|says?|means?|needs?)$/;

export function readEntry(memory: Memory, space: string): MemoryIndexEntry {
  const { id, kind, owner, projectId, subject, links, pinned, mentions, validFrom, lastSeenAt, source } = memory;
  const roles = readRoles(memory);
  const text = memory.levels.full.slice(0, MAX_TEXT_LENGTH);
  const named = normalizeTopic(memory.levels.index);
  const pointer = SAYS_LITTLE.test(named) ? "" : named;
  const files = readFiles(memory, text);
  return omitUndefined({
    id,
    space,
    kind,
    roles,
    files,
    words: isFoundByWords(roles) ? readWords(memory, text) : NO_WORDS,
    topic: topicOf(memory, files, pointer),
    pointer,
    links,
    subject,
    speaker: source.speaker,
    owner,
    projectId,
    sessionId: source.sessionId,
    messageId: source.messageId,
    pinned,
    isRepeated: mentions > 1,
    validFrom,
    lastSeenAt,
    doneAt: kind === "workflow" ? timesOf(memory) : undefined,
  });
}

function timesOf({ source, earlierSources = [] }: Memory): readonly number[] {
  return [source, ...earlierSources].flatMap(({ at }) => at ?? []);
}

/** Normalized form of a topic, for display and lookup. */
export function normalizeTopic(topic: string): string {
  return topic.toLowerCase().replace(/\s+/g, " ").trim();
}

/**
 * Topic of a memory: the key of a fact, the folder of its files, or the first descriptive word of its pointer (`auth`
 * of `auth_refactor`). Facts about the user's identity have no topic.
 */
function topicOf({ key, category }: Memory, files: readonly string[], pointer: string): string {
  if (category === "identity") return "";
  const named = key === undefined ? "" : normalizeKey(key);
  if (named !== "" && !SAYS_LITTLE.test(named)) return named;
  const part = files.map((file) => placeNames(file).folders.at(-1)).find((folder) => folder !== undefined);
  if (part !== undefined) return normalizeTopic(part);
  const words = pointer.match(/[\p{L}\p{N}]+(?:[.+#-][\p{L}\p{N}+#]+)*/gu) ?? [];
  return words.find((word) => !SAYS_LITTLE.test(word) && !isStopWord(word)) ?? named;
}

function readFiles({ artifacts }: Memory, text: string): readonly string[] {
  const linked = artifacts.filter(({ type }) => type === "file").map(({ ref }) => cleanPath(ref));
  const named = /[./]\w/.test(text) ? [...findIdentifiers(text).keys()].map(cleanPath).filter(isFile) : [];
  return [...new Set([...linked, ...named])].slice(0, MAX_FILES);
}

function isFile(name: string): boolean {
  return IS_FILE.test(name) && !/^(?:www\.|\d)/.test(name);
}

function readWords({ key, subject, aliases, artifacts }: Memory, text: string): Uint32Array {
  const beside = [key?.replaceAll("_", " "), subject, ...aliases, ...artifacts.map(({ ref }) => ref)];
  const hashes = termHashes([text, ...beside].join(" "));
  return Uint32Array.from([...hashes].slice(0, MAX_WORDS));
}
