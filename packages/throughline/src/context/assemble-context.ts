import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import type { AssembledContext, AssembleOptions, ContextReceipt } from "./context-api.ts";
import type { RenderedMemoryCache } from "./rendered-memory-cache.ts";
import { type ActivityPlan, type OwnActivities, planFor } from "./tiers/activity-plan.ts";
import type { Offer, OfferGroup } from "./tiers/fill-tier.ts";
import { type FilledTiers, fillTiers, TOLD_TIERS, type ToldTier } from "./tiers/fill-tiers.ts";
import type { Candidate, Member } from "./tiers/rules/candidate.ts";
import { type NamedRule, RULES } from "./tiers/rules/rules.ts";
import type { Scene } from "./tiers/scene.ts";
import { isContinued, sectionOf } from "./tiers/sections.ts";
import { shareFiles } from "./tiers/share-files.ts";
import { withFailure } from "./tiers/tell-failure.ts";
import { type Told, tellFiles, tellPair, tellSaid } from "./tiers/tell-forms.ts";

const DEFAULT_BUDGET = 8_000;
const FEW_EPISODES = 3;
const NO_NAMES = { names: new Set<string>(), key: "" };

/** Dependencies of an assembly, besides its options. */
export interface Assembly {
  readonly scene: Scene;
  readonly told: RenderedMemoryCache;
  readonly activities?: OwnActivities;
  /** Problems so far, for the receipt. */
  readonly notes: readonly string[];
}

/**
 * Assembles the block: finds candidates by rule, renders them, fills the tiers within the budget, writes the receipt.
 */
export async function assembleContext(
  { budget: asked, signals = {}, shares }: AssembleOptions,
  { scene, told, activities, notes }: Assembly,
): Promise<AssembledContext> {
  const budget = readBudget(asked);
  const { plan, activity, isKnown } = planFor(signals.activity, activities, shares);
  const candidates = findCandidates(plan, scene);
  const groups = await offerAll(candidates, told, scene);
  const filled = fillTiers(groups, scene, budget, plan.shares);
  const unplanned = isKnown ? [] : [`Nothing is known of the activity ${activity}: it has the default shares.`];
  return report(filled, { budget, activity, notes: [...notes, ...unplanned] });
}

export function readBudget(budget: number = DEFAULT_BUDGET): number {
  if (!(Number.isFinite(budget) && budget >= 0)) throw new InvalidOptionError("budget", budget, "a number of tokens");
  return Math.floor(budget);
}

/** Candidates of one rule for its tier. */
interface Wanted extends Omit<OfferGroup, "offers"> {
  readonly candidates: readonly Candidate[];
}

type WantedByTier = Readonly<Record<ToldTier, readonly Wanted[]>>;

function findCandidates({ rules }: ActivityPlan, scene: Scene): WantedByTier {
  const { isKnown = () => false } = scene;
  const isNew = ({ members }: Candidate): boolean =>
    !members.every(({ entry, said }) => isKnown(entry ?? said?.source ?? {}));
  // A contradicted memory is only included together with the memory that contradicts it.
  const isWhole = ({ members }: Candidate): boolean =>
    members.length > 1 || !members.some(({ id }) => scene.inQuestion.has(id));
  const { isFileWork, question } = scene.situation;
  // If there is a question and no file work, memories that match the question come first.
  const isAsked = (rule: string): boolean => rule === "fits-task" && !isFileWork && question !== "";
  const inOrder = (tier: ToldTier) => rules[tier].toSorted(([a], [b]) => Number(isAsked(b)) - Number(isAsked(a)));
  const wantedIn = (tier: ToldTier): readonly Wanted[] =>
    inOrder(tier).map(([rule, share]) => {
      const { find, isFirst = false }: NamedRule = RULES[rule];
      const candidates = find(scene).filter((candidate) => isNew(candidate) && isWhole(candidate));
      return { rule, share, isFirst, candidates };
    });
  return { critical: wantedIn("critical"), relevant: wantedIn("relevant"), background: wantedIn("background") };
}

async function offerAll(
  wanted: WantedByTier,
  told: RenderedMemoryCache,
  scene: Scene,
): Promise<Readonly<Record<ToldTier, readonly OfferGroup[]>>> {
  const all = TOLD_TIERS.flatMap((tier) => wanted[tier].flatMap(({ candidates }) => candidates));
  const forms = await told.read(all.flatMap(({ members }) => members.flatMap(({ entry }) => entry ?? [])));
  const stories = all.flatMap(({ members }) => members.filter(({ entry }) => entry?.kind === "episode"));
  const episodes = new Set(stories.map(({ id }) => id)).size;
  const telling = { told: forms, files: shareFiles(all, forms, scene), episodes, scene };
  const offersIn = (tier: ToldTier): readonly OfferGroup[] =>
    wanted[tier].map(({ candidates, ...group }) => ({
      ...group,
      offers: candidates.flatMap((candidate) => offerOf(candidate, group.rule, telling) ?? []),
    }));
  return { critical: offersIn("critical"), relevant: offersIn("relevant"), background: offersIn("background") };
}

/** Texts of the memories by id, the files that each of them names, and the number of episodes among them. */
interface Telling {
  readonly told: ReadonlyMap<string, Told>;
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly episodes: number;
  readonly scene: Scene;
}

function offerOf({ members }: Candidate, rule: string, telling: Telling): Offer | undefined {
  const { scene } = telling;
  const files = members.flatMap(({ file }) => file ?? []);
  if (files.length > 0) return { members, ...tellFiles(files), section: "next-files" };
  const each = members.map((member) => tellMember(member, telling));
  const [first, second] = each;
  if (first === undefined || each.includes(undefined)) return undefined;
  const forms = second === undefined ? first.forms : tellPair(first.forms, second.forms);
  const words = each.map((one) => one?.words).join(" ↔ ");
  const section = sectionOf(rule, members, scene, first.isUnfinished ?? false);
  return forms.length === 0 ? undefined : { members, forms, words, section };
}

/** Text of a memory, with the files that it shares with the current work. */
function tellMember(
  { id, entry, said, withFailure: tellsFailure = false }: Member,
  { told, files: named, episodes, scene }: Telling,
): Told | undefined {
  if (said !== undefined) return tellSaid(said);
  const plain = told.get(id);
  if (entry === undefined || plain === undefined) return undefined;
  const known = tellsFailure ? withFailure(plain, scene.situation.errors) : plain;
  if (known === undefined) return undefined;
  const files = named.get(id) ?? [];
  // Only the session that the work continues from is told in full. Other episodes have a few lines.
  const isShort = entry.kind === "episode" && !isContinued(entry, scene);
  const forms = isShort ? known.forms.filter(({ level }) => level !== "full") : known.forms;
  // Only episodes choose their text by names.
  const { names, key } = entry.kind === "episode" ? scene.wantedNames : NO_NAMES;
  // A project with few episodes has room for what each of them decided.
  const isRelated = entry.kind !== "episode" || scene.close.has(id) || episodes <= FEW_EPISODES;
  const focus = { files, names, isRelated, episodes, key: [...files, String(isRelated), episodes, key].join("\n") };
  return { ...known, forms: forms.map((form) => form.withFocus(focus)) };
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
