import { InvalidOptionError } from "../errors/input-errors.ts";
import { Lru } from "../internal/lru.ts";
import { isCurrent, type Memory } from "../ports/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { AssembledContext, AssembleOptions, ContextReceipt } from "./context-api.ts";
import type { MemoryIndexEntry } from "./memory-index-entry.ts";
import { type ActivityPlan, type OwnActivities, planFor, RULES } from "./tiers/activity-plan.ts";
import { type FilledTiers, fillTiers, type OfferGroup, TEXT_TIERS, type TextTier } from "./tiers/fill-tiers.ts";
import type { Candidate, Member, NamedRule, Relevance } from "./tiers/score-candidates.ts";
import { isContinued, sectionOf, shareFiles } from "./tiers/sections.ts";
import {
  type MemoryTexts,
  textsOfFiles,
  textsOfMemory,
  textsOfPair,
  textsOfUtterance,
  withFailure,
} from "./tiers/text-variants.ts";
import type { Offer } from "./tiers/used-texts.ts";

const DEFAULT_BUDGET = 8_000;
const FEW_EPISODES = 3;
const NO_NAMES = { names: new Set<string>(), key: "" };

/** Dependencies of an assembly, besides its options. */
interface Assembly {
  readonly relevance: Relevance;
  readonly texts: RenderedMemoryCache;
  readonly activities?: OwnActivities;
  /** Problems so far, for the receipt. */
  readonly notes: readonly string[];
}

/**
 * Assembles the block: finds candidates by rule, renders them, fills the tiers within the budget, writes the receipt.
 */
export async function assembleContext(
  { budget: requestedBudget, signals = {}, shares }: AssembleOptions,
  { relevance, texts, activities, notes }: Assembly,
): Promise<AssembledContext> {
  const budget = readBudget(requestedBudget);
  const { plan, activity, isKnown } = planFor(signals.activity, activities, shares);
  const candidates = findCandidates(plan, relevance);
  const groups = await offerAll(candidates, texts, relevance);
  const filled = fillTiers(groups, relevance, budget, plan.shares);
  const unplanned = isKnown ? [] : [`Unknown activity ${activity}: using the default shares.`];
  return report(filled, { budget, activity, notes: [...notes, ...unplanned] });
}

export function readBudget(budget: number = DEFAULT_BUDGET): number {
  if (!(Number.isFinite(budget) && budget >= 0)) throw new InvalidOptionError("budget", budget, "a number of tokens");
  return Math.floor(budget);
}

interface RuleCandidates extends Omit<OfferGroup, "offers"> {
  readonly candidates: readonly Candidate[];
}

type CandidatesByTier = Readonly<Record<TextTier, readonly RuleCandidates[]>>;

function findCandidates({ rules }: ActivityPlan, relevance: Relevance): CandidatesByTier {
  const { isKnown = () => false } = relevance;
  const isNew = ({ members }: Candidate): boolean =>
    !members.every(({ entry, utterance }) => isKnown(entry ?? utterance?.source ?? {}));
  // A contradicted memory is only included together with the memory that contradicts it.
  const isWhole = ({ members }: Candidate): boolean =>
    members.length > 1 || !members.some(({ id }) => relevance.inQuestion.has(id));
  const { isFileWork, question } = relevance.signals;
  // If there is a question and no file work, memories that match the question come first.
  const matchesQuestion = (rule: string): boolean => rule === "fits-task" && !isFileWork && question !== "";
  const inOrder = (tier: TextTier) =>
    rules[tier].toSorted(([a], [b]) => Number(matchesQuestion(b)) - Number(matchesQuestion(a)));
  const wantedIn = (tier: TextTier): readonly RuleCandidates[] =>
    inOrder(tier).map(([rule, share]) => {
      const { find, isFirst = false }: NamedRule = RULES[rule];
      const candidates = find(relevance).filter((candidate) => isNew(candidate) && isWhole(candidate));
      return { rule, share, isFirst, candidates };
    });
  return { critical: wantedIn("critical"), relevant: wantedIn("relevant"), background: wantedIn("background") };
}

async function offerAll(
  wanted: CandidatesByTier,
  texts: RenderedMemoryCache,
  relevance: Relevance,
): Promise<Readonly<Record<TextTier, readonly OfferGroup[]>>> {
  const all = TEXT_TIERS.flatMap((tier) => wanted[tier].flatMap(({ candidates }) => candidates));
  const rendered = await texts.read(all.flatMap(({ members }) => members.flatMap(({ entry }) => entry ?? [])));
  const episodeMembers = all.flatMap(({ members }) => members.filter(({ entry }) => entry?.kind === "episode"));
  const episodes = new Set(episodeMembers.map(({ id }) => id)).size;
  const options = { texts: rendered, files: shareFiles(all, rendered, relevance), episodes, relevance };
  const offersIn = (tier: TextTier): readonly OfferGroup[] =>
    wanted[tier].map(({ candidates, ...group }) => ({
      ...group,
      offers: candidates.flatMap((candidate) => offerOf(candidate, group.rule, options) ?? []),
    }));
  return { critical: offersIn("critical"), relevant: offersIn("relevant"), background: offersIn("background") };
}

/** Texts of the memories by id, the files that each of them names, and the number of episodes among them. */
interface RenderOptions {
  readonly texts: ReadonlyMap<string, MemoryTexts>;
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly episodes: number;
  readonly relevance: Relevance;
}

function offerOf({ members }: Candidate, rule: string, options: RenderOptions): Offer | undefined {
  const { relevance } = options;
  const files = members.flatMap(({ file }) => file ?? []);
  if (files.length > 0) return { members, ...textsOfFiles(files), section: "next-files" };
  const each = members.map((member) => textsOfMember(member, options));
  const [first, second] = each;
  if (first === undefined || each.includes(undefined)) return undefined;
  const rendered = second === undefined ? first.variants : textsOfPair(first.variants, second.variants);
  const words = each.map((one) => one?.words).join(" ↔ ");
  const section = sectionOf(rule, members, relevance, first.isUnfinished ?? false);
  return rendered.length === 0 ? undefined : { members, variants: rendered, words, section };
}

/** Text of a memory, with the files that it shares with the current work. */
function textsOfMember(
  { id, entry, utterance, withFailure: isFailureOnly = false }: Member,
  { texts, files: named, episodes, relevance }: RenderOptions,
): MemoryTexts | undefined {
  if (utterance !== undefined) return textsOfUtterance(utterance);
  const plain = texts.get(id);
  if (entry === undefined || plain === undefined) return undefined;
  const known = isFailureOnly ? withFailure(plain, relevance.signals.errors) : plain;
  if (known === undefined) return undefined;
  const files = named.get(id) ?? [];
  // Only the session that the work continues from is rendered in full. Other episodes have a few lines.
  const isShort = entry.kind === "episode" && !isContinued(entry, relevance);
  const rendered = isShort ? known.variants.filter(({ level }) => level !== "full") : known.variants;
  // Only episodes choose their text by names.
  const { names, key } = entry.kind === "episode" ? relevance.wantedNames : NO_NAMES;
  // A project with few episodes has space for the decisions of each.
  const isRelated = entry.kind !== "episode" || relevance.close.has(id) || episodes <= FEW_EPISODES;
  const focus = { files, names, isRelated, episodes, key: [...files, String(isRelated), episodes, key].join("\n") };
  return { ...known, variants: rendered.map((variant) => variant.withFocus(focus)) };
}

function report(
  { text, tokens, allotted, items, nearMisses }: FilledTiers,
  { budget, activity, notes }: Pick<ContextReceipt, "budget" | "activity" | "notes">,
): AssembledContext {
  const tokenCount = tokens.critical + tokens.relevant + tokens.background + tokens.index;
  return {
    context: text,
    tokenCount,
    tiers: { tier1: tokens.critical, tier2: tokens.relevant, tier3: tokens.background, tier4: tokens.index },
    receipt: { budget, tokens: tokenCount, activity, allotted, items, nearMisses, notes },
  };
}

const MAX_MEMORIES = 5_000;

interface Rendered {
  readonly entry: MemoryIndexEntry;
  readonly memoryTexts: MemoryTexts;
}

/** Caches the texts of memories at each length. A memory that changes gets a new index entry and is rendered again. */
export class RenderedMemoryCache {
  readonly #memoryStore: MemoryStore;
  readonly #rendered = new Lru<string, Rendered>({ maxSize: MAX_MEMORIES });

  constructor(memoryStore: MemoryStore) {
    this.#memoryStore = memoryStore;
  }

  /** Texts by memory id, without memories that have ended or are archived. */
  async read(entries: Iterable<MemoryIndexEntry>): Promise<ReadonlyMap<string, MemoryTexts>> {
    const wanted = [...new Set(entries)];
    // Reads cached ones before loading others, because loading may evict them.
    const known = new Map(wanted.flatMap((entry) => this.#find(entry)));
    const unknown = wanted.filter((entry) => !known.has(entry));
    const loaded = await loadMemories(unknown, this.#memoryStore);
    const texts = new Map<string, MemoryTexts>();
    for (const entry of wanted) {
      const memory = loaded.get(entry.id);
      const memoryTexts = memory !== undefined && isCurrent(memory) ? textsOfMemory(memory) : known.get(entry);
      if (memoryTexts === undefined) continue;
      texts.set(entry.id, memoryTexts);
      this.#rendered.set(entry.id, { entry, memoryTexts });
    }
    return texts;
  }

  #find(entry: MemoryIndexEntry): [MemoryIndexEntry, MemoryTexts][] {
    const rendered = this.#rendered.get(entry.id);
    return rendered?.entry === entry ? [[entry, rendered.memoryTexts]] : [];
  }
}

/** The memories of these entries, by id. */
export async function loadMemories(
  entries: readonly MemoryIndexEntry[],
  memoryStore: MemoryStore,
): Promise<ReadonlyMap<string, Memory>> {
  const loaded = await Promise.all(
    [...Map.groupBy(entries, ({ space }) => space)].map(([space, own]) => {
      const ids = own.map(({ id }) => id);
      return memoryStore.get(space, "memories", ids);
    }),
  );
  return new Map(loaded.flat().map((memory) => [memory.id, memory]));
}
