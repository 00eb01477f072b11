import { readNames } from "../../language/names.ts";
import { findIdentifiers } from "../../ledger/find-identifiers.ts";
import type { Memory } from "../../ports/memory.ts";
import { normalizeKey } from "../facts/slot-keys.ts";

/** Of a long memory only as much is read, and so many entities are taken. */
const MAX_TEXT_LENGTH = 4_000;
const MAX_ENTITIES = 40;
/** That two memories come from one session, or have one key, binds them less than what they name. */
const LOOSE = 0.5;

/**
 * What a memory names, each with how much it binds: people and things by their names, files and other identifiers,
 * its artifacts, its subject, its key and its session.
 */
export function findEntities(memory: Memory): ReadonlyMap<string, number> {
  const { levels, artifacts, key, value, subject, source } = memory;
  const text = `${levels.full.slice(0, MAX_TEXT_LENGTH)}\n${value ?? ""}`;
  const entities = new Map<string, number>();
  for (const { type, ref } of artifacts) entities.set(type === "file" ? refName(ref) : `${type} ${refName(ref)}`, 1);
  for (const name of findIdentifiers(text).keys()) entities.set(refName(name), 1);
  for (const name of readNames(text, { tools: true })) if (name.length > 1) entities.set(name, 1);
  if (subject !== undefined) entities.set(subject.trim().toLowerCase(), 1);
  if (key !== undefined) entities.set(`key ${normalizeKey(key)}`, LOOSE);
  if (source.sessionId !== undefined) entities.set(`session ${source.sessionId}`, LOOSE);
  return entities.size <= MAX_ENTITIES ? entities : new Map([...entities].slice(0, MAX_ENTITIES));
}

/** Files are named with and without `./` before them. */
function refName(ref: string): string {
  return ref.trim().replace(/^\.\//, "").toLowerCase();
}
