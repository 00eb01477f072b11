import { FLAG, type OptionRules, parseOptionTime, TEXTS } from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { isRecord, omitUndefined, sameJson } from "../../internal/json.ts";
import { findName } from "../../language/text-names.ts";
import type { Memory, MemoryLevels } from "../../ports/memory.ts";
import {
  checkCategory,
  checkedLater,
  checkKind,
  checkScope,
  cleanArtifacts,
  cleanKey,
  cleanSource,
  cleanText,
  cleanTexts,
  MAX_NAME_LENGTH,
  refuseSecrets,
} from "../check-input.ts";
import { baselineConfidence } from "../facts/fact-rules.ts";
import { readSlot } from "../facts/slots.ts";
import { newId } from "../ids.ts";
import type { RememberInput } from "../memory-api.ts";
import type { Caller } from "../space/spaces.ts";
import { boundLevels, buildLevels, type LevelsInput, type ShorterLevels } from "../text-levels/build-levels.ts";

export const REMEMBER_RULES: OptionRules<RememberInput> = {
  ...checkedLater("id", "text", "kind", "category", "key", "value", "subject", "aliases", "scope"),
  ...checkedLater("validFrom", "source", "artifacts", "title", "steps", "template", "levels"),
  pinned: FLAG,
  replaces: [(value) => typeof value === "string" || TEXTS[0](value), "the id of a memory, or a list of ids"],
  byHand: FLAG,
  updatesPrevious: FLAG,
  keepSecrets: FLAG,
};

/**
 * A memory built from the input alone, before it is compared with stored ones.
 *
 * @throws InvalidOptionError if a field is invalid.
 * @throws SecretRefusedError if a text contains an API key, a password or a card number.
 */
export function draftMemory(input: RememberInput, caller: Caller, now: number): Memory {
  const clean = readInput(input);
  const { text, kind, subject, source, artifacts, title, steps, template } = clean;
  const { category, scope = "user-private", pinned = false } = input;
  const slot = slotOf(clean);
  const byHand = input.byHand ?? source === undefined;
  const saidAt = Math.min(source?.at ?? now, now);
  return omitUndefined({
    id: clean.id ?? newId("mem", now),
    kind,
    levels: levelsOf(omitUndefined({ kind, text, ...slot, title, steps, template }), clean.levels),
    ...slot,
    subject,
    aliases: [...new Set([...clean.aliases, ...statedAliases(text)])],
    category,
    confidence: baselineConfidence(byHand),
    mentions: 1,
    pinned,
    byHand,
    owner: caller.userId,
    projectId: scope === "system" || isPersonal(input) ? undefined : caller.projectId,
    scope,
    createdAt: now,
    lastSeenAt: saidAt,
    validFrom: clean.validFrom ?? saidAt,
    usage: { retrieved: 0, cited: 0, ignored: 0 },
    source: source ?? {},
    artifacts,
    links: [],
  });
}

/** Facts about a person (who they are, what they prefer) belong to that person in every project. */
export function isPersonal({ category, scope = "user-private" }: Pick<Partial<Memory>, "category" | "scope">): boolean {
  return scope === "user-private" && (category === "identity" || category === "preference");
}

type CleanInput = ReturnType<typeof readInput>;

/** Validated input, without invisible characters. */
function readInput(input: RememberInput) {
  if (!isRecord(input)) throw new InvalidOptionError("input", typeof input, "an object with `text`");
  const { kind = "fact", category, scope, validFrom, keepSecrets = false }: RememberInput = input;
  checkKind(kind);
  checkCategory(category);
  checkScope(scope);
  if (category !== undefined && kind !== "fact") {
    throw new InvalidOptionError(
      "category",
      category,
      `no category: this memory is of kind ${kind}, and only facts have one`,
    );
  }
  const {
    text,
    key,
    value,
    subject,
    aliases = [],
    source,
    artifacts = [],
    title,
    steps,
    template,
    id,
    levels,
  }: RememberInput = input;
  const clean = {
    kind,
    text: cleanText("text", text),
    key: key === undefined ? undefined : cleanKey(key),
    value: value === undefined ? undefined : cleanText("value", value),
    subject: subject === undefined ? undefined : cleanText("subject", subject, MAX_NAME_LENGTH),
    aliases: cleanTexts("aliases", aliases, MAX_NAME_LENGTH),
    source: source === undefined ? undefined : cleanSource(source),
    artifacts: cleanArtifacts(artifacts),
    title: title === undefined ? undefined : cleanText("title", title),
    steps: steps === undefined ? undefined : cleanTexts("steps", steps),
    template: template === undefined ? undefined : cleanTemplate(template),
    id: id === undefined ? undefined : cleanId(id, kind),
    levels: levels === undefined ? undefined : cleanTemplate(levels),
    validFrom: validFrom === undefined ? undefined : parseOptionTime("validFrom", validFrom),
  };
  if (!keepSecrets) refuseSecrets(textsIn(clean));
  return clean;
}

function cleanTemplate(template: unknown): Readonly<Record<string, string>> {
  if (!isRecord(template))
    throw new InvalidOptionError("template", typeof template, "an object whose values are strings");
  return Object.fromEntries(
    Object.entries(template).map(([name, text]) => [cleanText("template", name), cleanText("template", text)]),
  );
}

const STABLE_ID = /^mem_[0-9a-z]{8,60}$/;

function cleanId(id: unknown, kind: Memory["kind"]): string {
  if (kind === "fact") throw new InvalidOptionError("id", id, "no id: its text identifies a fact");
  if (typeof id !== "string" || !STABLE_ID.test(id)) {
    throw new InvalidOptionError(
      "id",
      JSON.stringify(id),
      "an id from `stableId`: mem_ and lower case letters and digits",
    );
  }
  return id;
}

/** Levels built by rules. Texts of levels in the input replace the built ones. */
function levelsOf(input: LevelsInput, written: Partial<ShorterLevels> = {}): MemoryLevels {
  const { full, ...built } = buildLevels(input);
  return Object.keys(written).length === 0 ? { full, ...built } : boundLevels(full, { ...built, ...written });
}

/** All texts of an input that could contain a secret. */
function textsIn({
  artifacts,
  source,
  template = {},
  levels = {},
  ...clean
}: CleanInput): readonly (string | undefined)[] {
  const { text, key, value, subject, title, aliases, steps = [] } = clean;
  const refs = artifacts.map(({ ref }) => ref);
  const fields = [...Object.entries(template), ...Object.entries(levels)].flat();
  return [text, key, value, subject, title, ...aliases, ...steps, ...fields, ...refs, source?.quote, source?.speaker];
}

/** Key and value: as given, else read from the text of a fact. */
function slotOf({ key, value, kind, text }: CleanInput): { key?: string; value?: string } {
  if (kind !== "fact") return key === undefined ? {} : { key };
  if (key !== undefined) return omitUndefined({ key, value });
  const read = readSlot(text);
  return read?.value === undefined || read.isChoice ? {} : { key: read.key, value: read.value };
}

/** "Kubernetes (k8s)", "the Borg scheduler, aka the hive", "k8s is short for Kubernetes". */
const STATED_ALIAS =
  /(?<name>[\p{L}\p{N}][\p{L}\p{N}.+#/-]{1,40}(?: [\p{Lu}][\p{L}\p{N}.+#/-]{0,40}){0,3})(?: \((?<short>[\p{L}\p{N}][\p{L}\p{N}.+#-]{1,15})\)|,? (?:a\.?k\.?a\.?|also (?:known as|called)|(?:is )?(?:short|stands) for|abbreviated(?: as)?)[: ]+["“'‘]?(?<other>[\p{L}\p{N}][\p{L}\p{N}.+#/-]{1,40}))/gu;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}.+#-]{1,40}/gu;
/** Number of characters to search for aliases: names are introduced early in a text. */
const MAX_SEARCHED_LENGTH = 4_000;

/**
 * Aliases of the names in a text: common ones ("k8s" for Kubernetes), and those that the text introduces itself. They
 * are indexed with the words of the text.
 *
 * @example
 * otherNames("We deploy to Kubernetes."); // ["k8s"]
 */
export function otherNames(text: string): readonly string[] {
  const start = text.slice(0, MAX_SEARCHED_LENGTH);
  const own = new Set(start.toLowerCase().match(WORDS) ?? []);
  const known = [...own].flatMap((word) => {
    const name = findName(word);
    return name === undefined ? [] : [name.name.toLowerCase(), name.casual, name.short];
  });
  return [...new Set(known)].filter((name) => !own.has(name));
}

/** Pairs of names that a text introduces for the same thing, as written in the text. */
function statedAliases(text: string): readonly string[] {
  return [...text.slice(0, MAX_SEARCHED_LENGTH).matchAll(STATED_ALIAS)].flatMap(({ groups = {} }) => {
    const { name = "", short, other } = groups;
    if (other !== undefined) return [name, other];
    return short !== undefined && isShortFor(short, name) ? [name, short] : [];
  });
}

/** Initials ("CI" of "Continuous Integration"), numeronyms ("k8s"), or the letters of the name in order. */
function isShortFor(short: string, name: string): boolean {
  const letters = short.toLowerCase().replace(/[^\p{L}]/gu, "");
  const whole = name.toLowerCase();
  let at = 0;
  for (const letter of letters) {
    at = whole.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return letters.length > 0 && short.length < name.length && letters[0] === whole[0];
}

/**
 * The stored memory with the text, artifacts and times of a new version under the same id; everything else stays. An
 * archived or ended memory is returned unchanged.
 *
 * @throws InvalidOptionError if the stored memory has another kind, owner or project.
 */
export function overwriteMemory(known: Memory, draft: Memory): Memory {
  if (known.kind !== draft.kind || known.owner !== draft.owner || known.projectId !== draft.projectId) {
    throw new InvalidOptionError("id", draft.id, "the id of a memory of that kind, user and project, or an unused id");
  }
  if (known.archivedAt !== undefined || known.validTo !== undefined) return known;
  const { levels, key, artifacts, source, lastSeenAt } = draft;
  const isReworded = !sameJson(known.levels, levels);
  const overwritten: Memory = omitUndefined({
    ...known,
    levels,
    key: key ?? known.key,
    artifacts,
    source,
    lastSeenAt,
    validFrom: Math.min(known.validFrom, draft.validFrom),
    aliases: [...new Set([...known.aliases, ...draft.aliases])],
    servedLevel: isReworded ? undefined : known.servedLevel,
  });
  return sameJson(overwritten, known) ? known : overwritten;
}
