import { findIdentifiers } from "../../ledger/find-identifiers.ts";
import type { Memory } from "../../ports/memory.ts";
import { baseForm } from "../contradictions/words/base-form.ts";
import { isEmpty } from "../contradictions/words/stop-words.ts";
import { wordSet } from "../contradictions/words/word-list.ts";
import { normalizeKey } from "../facts/slot-keys.ts";
import { findName } from "../levels/known-names.ts";

/** Of a long memory only as much is read, and so many entities are taken. */
const MAX_TEXT_LENGTH = 4_000;
const MAX_ENTITIES = 40;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}+#.'’-]*[\p{L}\p{N}+#]|\p{Lu}/gu;
const NO_NAMES = wordSet("user users i'm i've i'll i'd don't yes no okay");
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
  for (const name of namesIn(text)) entities.set(name, 1);
  if (subject !== undefined) entities.set(subject.trim().toLowerCase(), 1);
  if (key !== undefined) entities.set(`key ${normalizeKey(key)}`, LOOSE);
  if (source.sessionId !== undefined) entities.set(`session ${source.sessionId}`, LOOSE);
  return entities.size <= MAX_ENTITIES ? entities : new Map([...entities].slice(0, MAX_ENTITIES));
}

/** Files are named with and without `./` before them. */
function refName(ref: string): string {
  return ref.trim().replace(/^\.\//, "").toLowerCase();
}

/** Words with a capital, and the names of things that are known without one. */
function namesIn(text: string): readonly string[] {
  return (text.match(WORD) ?? []).flatMap((word) => {
    const known = findName(word);
    if (known !== undefined) return [known.name.toLowerCase()];
    const lower = word.replace(/['’]s$/, "").toLowerCase();
    const isName = /^\p{Lu}/u.test(word) && lower.length > 1 && !NO_NAMES.has(lower) && !isEmpty(baseForm(lower));
    return isName ? [lower] : [];
  });
}
