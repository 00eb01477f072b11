import { AT_LEAST_ZERO, checkOptions, FLAG, FUNCTION, LIST, type OptionRules } from "../../errors/check-options.ts";
import { findSecrets } from "../../internal/find-secrets.ts";
import { mapYielding, sortYielding } from "../../internal/yield-to-event-loop.ts";
import { splitSentences } from "../../language/sentences.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { FORGET_UNUSED_AFTER, indexFacts, isCurrent, knownPairs, pairKey } from "../consolidate/fact-index.ts";
import { type FactVector, mergeDuplicates, mergeIdentical } from "../consolidate/merge-duplicates.ts";
import { scanContradictions } from "../consolidate/scan-contradictions.ts";

/** A problem of stored memories. */
export type AuditKind = "secret" | "contradiction" | "duplicate" | "recalled" | "unused";

/** Problems in the order in which an audit lists them. */
export const AUDIT_KINDS = [
  "secret",
  "contradiction",
  "duplicate",
  "recalled",
  "unused",
] as const satisfies readonly AuditKind[];

/** A problem that an audit found. */
export interface AuditFinding {
  readonly kind: AuditKind;
  /** Ids of the memories. For duplicates, the most detailed one first; for recalled text, the copy first. */
  readonly ids: readonly string[];
  /** Reason as one readable sentence. */
  readonly reason: string;
}

/** Result of an audit. */
export interface Audit {
  /** Number of current memories that were checked. */
  readonly checked: number;
  /** In the order of their kinds. */
  readonly findings: readonly AuditFinding[];
}

/** State of an audit that is running. */
export interface AuditProgress {
  /** Share of the work that is done, from 0 to 1. */
  readonly done: number;
  /** Kinds whose findings are complete. */
  readonly kinds: readonly AuditKind[];
  /** Findings of these kinds. */
  readonly findings: readonly AuditFinding[];
}

/** Options of an audit. */
export interface AuditOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Vectors of facts by id, all from one embedder. Without them, only facts with the same words are duplicates. */
  readonly vectors?: ReadonlyMap<string, FactVector>;
  /** Known contradictions, open and resolved. */
  readonly contradictions?: readonly Contradiction[];
  /** True if the message that a memory was extracted from is inserted text. */
  readonly isFromInsertedText?: (memory: Memory) => boolean;
  /** False if the store does not count uses. Default: true. */
  readonly hasUsage?: boolean;
  /** Called after each step. */
  readonly onProgress?: (progress: AuditProgress) => void;
}

const AUDIT_RULES: OptionRules<AuditOptions> = {
  now: AT_LEAST_ZERO,
  vectors: [(value) => value instanceof Map, "a Map of vectors by id"],
  contradictions: LIST,
  isFromInsertedText: FUNCTION,
  hasUsage: FLAG,
  onProgress: FUNCTION,
};

/**
 * Checks memories for secrets, contradictions, duplicates, recalled text that was stored again, and memories that were
 * never used. Ended and archived memories are not checked. Changes nothing. Other tasks can run during the audit.
 *
 * @param memories Memories of one store.
 * @param options Time, and data that not every store has.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const { findings } = await auditMemories(await tl.memory.list(), { now: Date.now() });
 */
export async function auditMemories(memories: readonly Memory[], options: AuditOptions): Promise<Audit> {
  checkOptions("auditMemories", options, AUDIT_RULES);
  const { now, hasUsage = true, onProgress } = options;
  const current = memories.filter((memory) => isCurrent(memory, now));
  const found = new Map<AuditKind, readonly AuditFinding[]>();
  const inOrder = () => AUDIT_KINDS.flatMap((kind) => found.get(kind) ?? []);
  const report = (done: number) => onProgress?.({ done, kinds: [...found.keys()], findings: inOrder() });
  found.set("secret", (await mapYielding(current, secretIn)).flat());
  found.set("unused", hasUsage ? current.filter((memory) => isNeverUsed(memory, now)).map(neverUsed) : []);
  report(0.1);
  found.set("recalled", await findRecalledText(current, options.isFromInsertedText));
  report(0.2);
  const clashes = await findClashes(current, options, report);
  found.set("duplicate", clashes.duplicates).set("contradiction", clashes.contradictions);
  return { checked: current.length, findings: inOrder() };
}

const SECRET_NAMES = {
  "api-key": "an API key",
  token: "an access token",
  "private-key": "a private key",
  password: "a password",
  "card-number": "a card number",
  "account-number": "an account number",
} as const;

function secretIn({ id, levels, value, source }: Memory): readonly AuditFinding[] {
  const secrets = findSecrets([levels.full, value, source.quote].filter((text) => text !== undefined).join("\n"));
  const names = [...new Set(secrets.map(({ kind }) => SECRET_NAMES[kind]))];
  return names.length === 0 ? [] : [{ kind: "secret", ids: [id], reason: `Contains ${names.join(" and ")}.` }];
}

interface Conflicts {
  readonly duplicates: readonly AuditFinding[];
  readonly contradictions: readonly AuditFinding[];
}

/** Finds duplicates and contradictions with the rules of a consolidation. */
async function findClashes(
  current: readonly Memory[],
  { now, vectors, contradictions: known = [] }: AuditOptions,
  report: (done: number) => void,
): Promise<Conflicts> {
  const inOrder = await sortYielding(current, (a, b) => (a.id < b.id ? -1 : 1));
  const memories = new Map(inOrder.map((memory) => [memory.id, memory]));
  const indexes = await indexFacts(inOrder.filter(({ kind }) => kind === "fact"));
  report(0.5);
  const distinctPairs = knownPairs(known);
  const merging = {
    now,
    isFixed: () => false,
    areApart: (a: string, b: string) => distinctPairs.has(pairKey(a, b)),
    ...(vectors && { vectors }),
  };
  const merged = new Map<string, string[]>();
  for (const index of indexes) addMerged(merged, await mergeDuplicates(index, memories, merging));
  addMerged(merged, mergeIdentical(memories, merging));
  report(0.7);
  const opened = await scanContradictions(indexes, memories, known, { now, newId: () => "" });
  const duplicates = new Set([...merged.values()].flat());
  const open = [...known.filter(({ status }) => status === "open"), ...opened].filter(
    ({ memoryA, memoryB }) => memories.has(memoryA) && memories.has(memoryB) && !duplicates.has(memoryB),
  );
  return {
    contradictions: open.map(({ memoryA, memoryB, reason }) => clash("contradiction", [memoryA, memoryB], reason)),
    duplicates: [...merged].map(([survivor, others]) =>
      clash("duplicate", [survivor, ...others], `${others.length + 1} memories say the same.`),
    ),
  };
}

function clash(kind: AuditKind, ids: readonly string[], reason: string): AuditFinding {
  return { kind, ids, reason };
}

/** Adds memories that a merge would archive, by the memory that stays. */
function addMerged(merged: Map<string, string[]>, changed: ReadonlyMap<string, Memory>): void {
  for (const { id, archivedAt, supersededBy } of changed.values()) {
    if (archivedAt === undefined || supersededBy === undefined) continue;
    const others = merged.get(supersededBy);
    if (others === undefined) merged.set(supersededBy, [id]);
    else others.push(id);
  }
}

function isNeverUsed({ usage, pinned, createdAt, lastSeenAt }: Memory, now: number): boolean {
  if (pinned || usage.retrieved > 0 || usage.cited > 0) return false;
  return now - Math.max(createdAt, lastSeenAt) > FORGET_UNUSED_AFTER;
}

function neverUsed({ id }: Memory): AuditFinding {
  return { kind: "unused", ids: [id], reason: "Neither mentioned nor recalled for more than 90 days." };
}

/** Tags and headings under which programs insert recalled memories into a prompt. */
const BLOCK =
  /<\/?[\w-]{0,20}memor(?:y|ies)[\w-]{0,20}>|\b(?:recalled|retrieved|relevant|stored|saved) (?:user )?memor(?:y|ies)(?: [\w ]{1,40})?:|Notes from earlier, for reference\./i;
/** Number of words from which a sentence is unlikely to be repeated by chance. */
const MIN_WORDS = 5;

/**
 * Finds facts whose text was recalled from memory and then stored again: a copy of a block of memories, a fact from
 * inserted text, or one that repeats an older fact among other sentences.
 */
async function findRecalledText(
  memories: readonly Memory[],
  isFromInsertedText: (memory: Memory) => boolean = () => false,
): Promise<readonly AuditFinding[]> {
  const facts = memories.filter(({ kind }) => kind === "fact");
  const oldest = new Map<string, Memory>();
  await mapYielding(facts, (fact) => {
    const key = wordsOf(fact.levels.full);
    const known = key === undefined ? fact : oldest.get(key);
    if (key !== undefined && (known === undefined || fact.createdAt < known.createdAt)) oldest.set(key, fact);
  });
  const found = await mapYielding(facts, (fact) => readFact(fact, oldest, isFromInsertedText));
  return found.flat();
}

function readFact(
  fact: Memory,
  oldest: ReadonlyMap<string, Memory>,
  isFromInsertedText: (memory: Memory) => boolean,
): readonly AuditFinding[] {
  const { id, levels } = fact;
  const finding = (reason: string, others: readonly string[] = []): readonly AuditFinding[] => [
    { kind: "recalled", ids: [id, ...others], reason },
  ];
  if (BLOCK.test(levels.full)) return finding("Contains a block of recalled memories.");
  if (isFromInsertedText(fact)) return finding("Comes from text that was inserted into a message.");
  const sentences = splitSentences(levels.full, { anyCase: true });
  if (sentences.length < 2) return [];
  for (const { text } of sentences) {
    const known = oldest.get(wordsOf(text) ?? "");
    if (known !== undefined && known.id !== id && known.createdAt < fact.createdAt && !isOfSameMessage(known, fact)) {
      return finding("Repeats an older memory among other sentences.", [known.id]);
    }
  }
  return [];
}

function isOfSameMessage({ source: a }: Memory, { source: b }: Memory): boolean {
  return a.messageId !== undefined && a.messageId === b.messageId && a.sessionId === b.sessionId;
}

/** The words of a text without case and punctuation; undefined if there are few. */
function wordsOf(text: string): string | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length < MIN_WORDS ? undefined : words.join(" ");
}
