import { findSecrets } from "../../internal/find-secrets.ts";
import { mapYielding, runStepsYielding } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { comparisonKey } from "../consolidate/comparison-key.ts";
import { FORGET_UNUSED_AFTER } from "../consolidate/consolidation-rules.ts";
import { isCurrent } from "../consolidate/current.ts";
import { FactIndex } from "../consolidate/fact-index.ts";
import { mergeDuplicates } from "../consolidate/merge-duplicates.ts";
import { mergeIdentical } from "../consolidate/merge-identical.ts";
import { knownPairs, pairKey } from "../consolidate/pair-key.ts";
import { scanContradictions } from "../consolidate/scan-contradictions.ts";
import { findRecalledText } from "./find-recalled-text.ts";

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

/** Options of an audit. */
export interface AuditOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Vectors of facts by id, all from one embedder. Without them, only facts with the same words are duplicates. */
  readonly vectors?: ReadonlyMap<string, Float32Array>;
  /** Known contradictions, open and resolved. */
  readonly contradictions?: readonly Contradiction[];
  /** True if the message that a memory was extracted from is inserted text. */
  readonly isFromInsertedText?: (memory: Memory) => boolean;
  /** False if the store does not count uses. Default: true. */
  readonly hasUsage?: boolean;
}

/**
 * Checks memories for secrets, contradictions, duplicates, recalled text that was stored again, and memories that were
 * never used. Ended and archived memories are not checked. Changes nothing.
 *
 * @param memories Memories of one store.
 * @param options Time, and data that not every store has.
 *
 * @example
 * const { findings } = await auditMemories(await tl.memory.list(), { now: Date.now() });
 */
export async function auditMemories(memories: readonly Memory[], options: AuditOptions): Promise<Audit> {
  const { now, hasUsage = true } = options;
  const current = memories.filter((memory) => isCurrent(memory, now));
  const findings = [
    ...(await mapYielding(current, secretIn)).flat(),
    ...(await findClashes(current, options)),
    ...(await findRecalledText(current, options.isFromInsertedText)),
    ...(hasUsage ? current.filter((memory) => isNeverUsed(memory, now)).map(neverUsed) : []),
  ];
  const order = (finding: AuditFinding) => AUDIT_KINDS.indexOf(finding.kind);
  return { checked: current.length, findings: findings.toSorted((a, b) => order(a) - order(b)) };
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

/** Finds duplicates and contradictions with the rules of a consolidation. */
async function findClashes(
  current: readonly Memory[],
  { now, vectors, contradictions: known = [] }: AuditOptions,
): Promise<readonly AuditFinding[]> {
  const memories = new Map(current.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((memory) => [memory.id, memory]));
  const facts = [...memories.values()].filter(({ kind }) => kind === "fact");
  const indexes: FactIndex[] = [];
  for (const group of Map.groupBy(facts, comparisonKey).values()) {
    indexes.push(await runStepsYielding(FactIndex.of(group)));
  }
  const apart = knownPairs(known);
  const merging = {
    now,
    isFixed: () => false,
    areApart: (a: string, b: string) => apart.has(pairKey(a, b)),
    ...(vectors && { vectors }),
  };
  const merged = new Map<string, string[]>();
  for (const index of indexes) addMerged(merged, await mergeDuplicates(index, memories, merging));
  addMerged(merged, mergeIdentical(memories, merging));
  const opened = await scanContradictions(indexes, memories, known, { now, newId: () => "" });
  const duplicates = new Set([...merged.values()].flat());
  const open = [...known.filter(({ status }) => status === "open"), ...opened].filter(
    ({ memoryA, memoryB }) => memories.has(memoryA) && memories.has(memoryB) && !duplicates.has(memoryB),
  );
  return [
    ...open.map(({ memoryA, memoryB, reason }) => clash("contradiction", [memoryA, memoryB], reason)),
    ...[...merged].map(([survivor, others]) =>
      clash("duplicate", [survivor, ...others], `${others.length + 1} memories say the same.`),
    ),
  ];
}

function clash(kind: AuditKind, ids: readonly string[], reason: string): AuditFinding {
  return { kind, ids, reason };
}

/** Adds memories that a merge would archive, by the memory that stays. */
function addMerged(merged: Map<string, string[]>, changed: ReadonlyMap<string, Memory>): void {
  for (const { id, archivedAt, supersededBy } of changed.values()) {
    if (archivedAt === undefined || supersededBy === undefined) continue;
    merged.set(supersededBy, [...(merged.get(supersededBy) ?? []), id]);
  }
}

function isNeverUsed({ usage, pinned, createdAt, lastSeenAt }: Memory, now: number): boolean {
  if (pinned || usage.retrieved > 0 || usage.cited > 0) return false;
  return now - Math.max(createdAt, lastSeenAt) > FORGET_UNUSED_AFTER;
}

function neverUsed({ id }: Memory): AuditFinding {
  return { kind: "unused", ids: [id], reason: "Neither mentioned nor recalled for more than 90 days." };
}
