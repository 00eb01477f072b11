import { readNames } from "../../language/names.ts";
import { findIdentifiers } from "../../ledger/find-identifiers.ts";
import type { Memory } from "../../ports/memory.ts";
import { normalizeKey } from "../facts/slot-keys.ts";

/** Characters of a memory that are searched for entities. */
const MAX_TEXT_LENGTH = 4_000;
const MAX_ENTITIES = 40;
/** Weight of a shared session or key. A shared name is stronger evidence of a relation. */
const WEAK_WEIGHT = 0.5;

/**
 * Finds the entities of a memory with their weights: names of people and things, files and other identifiers,
 * artifacts, the subject, the key and the session.
 */
export function findEntities(memory: Memory): ReadonlyMap<string, number> {
  const { levels, artifacts, key, value, subject, source } = memory;
  const text = `${levels.full.slice(0, MAX_TEXT_LENGTH)}\n${value ?? ""}`;
  const entities = new Map<string, number>();
  for (const { type, ref } of artifacts) entities.set(type === "file" ? refName(ref) : `${type} ${refName(ref)}`, 1);
  for (const name of findIdentifiers(text).keys()) entities.set(refName(name), 1);
  for (const name of readNames(text, { tools: true })) if (name.length > 1) entities.set(name, 1);
  if (subject !== undefined) entities.set(subject.trim().toLowerCase(), 1);
  if (key !== undefined) entities.set(`key ${normalizeKey(key)}`, WEAK_WEIGHT);
  if (source.sessionId !== undefined) entities.set(`session ${source.sessionId}`, WEAK_WEIGHT);
  return entities.size <= MAX_ENTITIES ? entities : new Map([...entities].slice(0, MAX_ENTITIES));
}

/** Normalized form of a reference: `./src/a.ts` and `src/a.ts` are the same file. */
function refName(ref: string): string {
  return ref.trim().replace(/^\.\//, "").toLowerCase();
}
