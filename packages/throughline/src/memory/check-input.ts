import { CHECKED_LATER, type OptionRule } from "../errors/check-options.ts";
import { describeValue, InvalidOptionError } from "../errors/input-errors.ts";
import { SecretRefusedError } from "../errors/memory-errors.ts";
import { findSecrets } from "../internal/find-secrets.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import { stripInvisible } from "../internal/text.ts";
import { MAX_TIME } from "../internal/time.ts";
import type { Artifact, ArtifactType, MemorySource } from "../ports/memory.ts";
import { normalizeKey } from "./facts/slots.ts";
import { CATEGORIES, KINDS, SCOPES } from "./memory-kinds.ts";

const ARTIFACTS: readonly string[] = ["commit", "pr", "adr", "file"] satisfies ArtifactType[];
/** Longer texts are documents, not memories. */
const MAX_TEXT_LENGTH = 100_000;
export const MAX_NAME_LENGTH = 200;
const MAX_REFERENCE_LENGTH = 2_000;

/** Text without invisible characters. Empty and too long texts are refused. */
export function cleanText(name: string, text: unknown, longest = MAX_TEXT_LENGTH): string {
  if (typeof text !== "string") throw new InvalidOptionError(name, describeValue(text), "a string");
  const clean = stripInvisible(text).trim();
  if (clean === "") throw new InvalidOptionError(name, "empty", "a string with visible characters");
  if (clean.length > longest) {
    throw new InvalidOptionError(name, `${clean.length} characters long`, `at most ${longest} characters`);
  }
  return clean;
}

/** @throws SecretRefusedError if a text contains a secret. */
export function refuseSecrets(texts: readonly (string | undefined)[]): void {
  const [secret] = texts.flatMap((text) => (text === undefined ? [] : findSecrets(text)));
  if (secret !== undefined) throw new SecretRefusedError(secret.kind);
}

/** Refuses a value outside of the list. `undefined` is accepted. */
function checkOneOf(name: string, value: unknown, known: readonly string[]): void {
  if (value !== undefined && !known.includes(value as string)) {
    throw new InvalidOptionError(name, value, known.join(", "));
  }
}

export function checkKind(kind: unknown): void {
  checkOneOf("kind", kind, KINDS);
}

export function checkScope(scope: unknown): void {
  checkOneOf("scope", scope, SCOPES);
}

export function checkCategory(category: unknown): void {
  checkOneOf("category", category, CATEGORIES);
}

function checkTime(name: string, time: unknown): void {
  if (time !== undefined && !(typeof time === "number" && Math.abs(time) <= MAX_TIME)) {
    throw new InvalidOptionError(name, time, "milliseconds since 1970");
  }
}

/** A list of texts, each without invisible characters. */
export function cleanTexts(name: string, texts: unknown, longest?: number): readonly string[] {
  if (!Array.isArray(texts)) throw new InvalidOptionError(name, describeValue(texts), "a list of strings");
  return texts.map((text) => cleanText(name, text, longest));
}

/** A key in its normal form. A key without letters and digits is refused. */
export function cleanKey(key: unknown): string {
  const named = normalizeKey(cleanText("key", key, MAX_NAME_LENGTH));
  if (named === "") throw new InvalidOptionError("key", String(key), "a name with letters or digits");
  return named;
}

export function cleanArtifacts(artifacts: unknown): readonly Artifact[] {
  if (!Array.isArray(artifacts))
    throw new InvalidOptionError("artifacts", describeValue(artifacts), "a list of objects with `type` and `ref`");
  return artifacts.map((artifact: Artifact) => {
    if (!isRecord(artifact))
      throw new InvalidOptionError("artifacts", describeValue(artifact), "objects with `type` and `ref`");
    if (!ARTIFACTS.includes(artifact.type)) {
      throw new InvalidOptionError("artifacts", String(artifact.type), ARTIFACTS.join(", "));
    }
    return { type: artifact.type, ref: cleanText("artifacts", artifact.ref, MAX_REFERENCE_LENGTH) };
  });
}

/** Validated source of a memory, without invisible characters. */
export function cleanSource(source: unknown): MemorySource {
  if (!isRecord(source))
    throw new InvalidOptionError(
      "source",
      describeValue(source),
      "an object with the source: session, message, speaker, time, quote",
    );
  const { sessionId, messageId, speaker, at, quote }: MemorySource = source;
  checkTime("source.at", at);
  return omitUndefined({
    sessionId: cleanOptional("source.sessionId", sessionId),
    messageId: cleanOptional("source.messageId", messageId),
    speaker: cleanOptional("source.speaker", speaker),
    at,
    quote: cleanOptional("source.quote", quote),
  });
}

function cleanOptional(name: string, text: unknown): string | undefined {
  return text === undefined || text === "" ? undefined : cleanText(name, text);
}

/** Rules that know the names of options; the function that reads them checks their values. */
export function checkedLater<Name extends string>(...names: readonly Name[]): Record<Name, OptionRule> {
  return Object.fromEntries(names.map((name) => [name, CHECKED_LATER])) as Record<Name, OptionRule>;
}
