import { BLOCK_CLOSING, BLOCK_OPENING } from "../../memory/recall/recall-block.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { type ContextItem, type ContextMiss, TIERS, type Tier, type TierShares } from "../context-api.ts";
import { divideBudget } from "./activity-plan.ts";
import { type FilledIndex, fillIndex, type UsedEntries } from "./fill-index.ts";
import type { Relevance } from "./score-candidates.ts";
import { headingOf, SECTIONS, type Section } from "./sections.ts";
import type { TextVariant } from "./text-variants.ts";
import { type Offer, UsedTexts } from "./used-texts.ts";

/** Tiers with texts of memories. The index only names them. */
export type TextTier = Exclude<Tier, "index">;
export const TEXT_TIERS: readonly TextTier[] = ["critical", "relevant", "background"];

export interface FilledTiers {
  /** The whole block. Empty if no memory fits. */
  readonly text: string;
  readonly tokens: Readonly<Record<Tier, number>>;
  readonly allotted: Readonly<Record<Tier, number>>;
  readonly items: readonly ContextItem[];
  readonly nearMisses: readonly ContextMiss[];
}

const INDEX_HEADING = "## More, on request\n";
const OPENING = `${BLOCK_OPENING}\n`;
const MAX_MISSES = 20;
/** Tokens of the budget for each episode, so that earlier work does not crowd out the rest. */
const TOKENS_PER_EPISODE = 220;
const NO_INDEX: FilledIndex = { lines: [], tokens: 0, items: [] };

/**
 * Fills the tiers in order. Unused tokens of a tier go to the next one; tokens that all tiers leave go to offers that
 * did not fit.
 */
export function fillTiers(
  groups: Readonly<Record<TextTier, readonly OfferGroup[]>>,
  relevance: Relevance,
  budget: number,
  shares: TierShares,
): FilledTiers {
  const frame = countTokens(OPENING) + countTokens(BLOCK_CLOSING);
  const shared = divideBudget(budget, shares);
  const allotted = { ...shared };
  const usedTexts = new UsedTexts(Math.ceil(budget / TOKENS_PER_EPISODE));
  const openTiers = TEXT_TIERS.filter((tier) => shares[tier] > 0).map(
    (tier) => new TierFill(tier, groups[tier], usedTexts),
  );
  let left = -frame;
  for (const one of openTiers) {
    // The tokens of the block's frame count for the first tier that is not empty.
    allotted[one.tier] += left + (openTiers.some(({ used }) => used > 0) ? 0 : frame);
    left += shared[one.tier];
    const behind = budget - frame - openTiers.reduce((sum, { used }) => sum + used, 0);
    one.fill(left, behind);
    left -= one.used;
  }
  const heading = countTokens(INDEX_HEADING);
  const indexWithin = (maxTokens: number): FilledIndex =>
    shares.index > 0 ? fillIndex(relevance, usedEntries(openTiers, usedTexts), maxTokens - heading) : NO_INDEX;
  const pay = ({ lines, tokens }: FilledIndex): number => (lines.length === 0 ? 0 : tokens + heading);
  left += shared.index;
  const first = indexWithin(left);
  left -= pay(first);
  let grown = 0;
  for (const one of openTiers) {
    const before = one.used;
    one.grow(before + left - grown);
    grown += one.used - before;
  }
  // If the tiers have grown, fewer memories are left for the index.
  const index = grown === 0 ? first : indexWithin(left - grown + pay(first));
  return composeBlock(openTiers, index, usedTexts, { budget, frame, allotted });
}

function usedEntries(openTiers: readonly TierFill[], usedTexts: UsedTexts): UsedEntries {
  const left = openTiers.flatMap((one) => one.left().map(({ offer }) => offer));
  return { placed: openTiers.flatMap((one) => one.placed()), left, usedTexts };
}

interface Account {
  readonly budget: number;
  /** Tokens of the block without its content. */
  readonly frame: number;
  readonly allotted: Record<Tier, number>;
}

function composeBlock(
  openTiers: readonly TierFill[],
  index: FilledIndex,
  usedTexts: UsedTexts,
  { budget, frame, allotted }: Account,
): FilledTiers {
  const tokens = { critical: 0, relevant: 0, background: 0, index: 0 };
  for (const { tier, used } of openTiers) tokens[tier] = used;
  if (index.lines.length > 0) tokens.index = index.tokens + countTokens(INDEX_HEADING);
  const opened = TIERS.find((tier) => tokens[tier] > 0);
  if (opened === undefined)
    return { text: "", tokens, allotted, items: [], nearMisses: missesOf(openTiers, usedTexts) };
  tokens[opened] += frame;
  for (const tier of TEXT_TIERS) allotted[tier] = Math.max(allotted[tier], tokens[tier]);
  if (allotted.index > 0) allotted.index = budget - tokens.critical - tokens.relevant - tokens.background;
  const sections = inSections(openTiers);
  const lines = [...sections].flatMap(([section, placed]) => [
    headingOf(section),
    ...placed.map(({ form }) => form.line),
  ]);
  const more = index.lines.length === 0 ? [] : [INDEX_HEADING, ...index.lines];
  const items = [...sections.values()].flatMap((placed) =>
    placed.flatMap(({ tier, rule, offer, form }) => itemsOf(tier, rule, offer, form)),
  );
  return {
    text: `${OPENING}${[...lines, ...more].join("")}${BLOCK_CLOSING}`,
    tokens,
    allotted,
    items: [...items, ...index.items],
    nearMisses: missesOf(openTiers, usedTexts),
  };
}

interface PlacedInTier extends Placed {
  readonly tier: TextTier;
}

/** Order within a section. Other sections have the order of their tiers and rules. */
const ORDERS: Partial<Record<Section, (a: PlacedInTier, b: PlacedInTier) => number>> = {
  open: (a, b) => timeOf(b) - timeOf(a),
  work: (a, b) => timeOf(b) - timeOf(a),
  // Sequences of commands before lists of them.
  commands: (a, b) => Number(b.form.text.includes("\n")) - Number(a.form.text.includes("\n")),
};

/** Placed offers by section, in the order of use. */
function inSections(openTiers: readonly TierFill[]): ReadonlyMap<Section, readonly PlacedInTier[]> {
  const placed = openTiers.flatMap((filled) => filled.placed().map((one) => ({ ...one, tier: filled.tier })));
  const bySection = Map.groupBy(placed, ({ offer }) => offer.section);
  return new Map(
    SECTIONS.flatMap((section) => {
      const own = bySection.get(section);
      const before = ORDERS[section];
      return own === undefined ? [] : [[section, before === undefined ? own : own.toSorted(before)]];
    }),
  );
}

function timeOf({ offer }: PlacedInTier): number {
  return Math.max(...offer.members.map(({ entry }) => entry?.lastSeenAt ?? 0));
}

/** Items of an offer. The two memories of a contradiction share a line and divide its tokens. */
function itemsOf(tier: TextTier, rule: string, { members }: Offer, form: TextVariant): readonly ContextItem[] {
  const each = Math.floor(form.tokens / members.length);
  return members.map(({ id, reasons }, place) => ({
    id,
    tier,
    level: form.level,
    tokens: place === 0 ? form.tokens - each * (members.length - 1) : each,
    rule,
    reasons,
  }));
}

/** Near misses, each with the first rule that selected it. */
function missesOf(openTiers: readonly TierFill[], usedTexts: UsedTexts): readonly ContextMiss[] {
  const left = openTiers.flatMap((filled) =>
    filled.left().flatMap(({ rule, offer }) => offer.members.map(({ id }) => ({ id, tier: filled.tier, rule, offer }))),
  );
  const byId = new Map(left.toReversed().map((one) => [one.id, one]));
  return [...byId.values()]
    .toReversed()
    .slice(0, MAX_MISSES)
    .flatMap(({ id, tier, rule, offer }) =>
      itemsOf(tier, rule, offer, offer.variants[offer.variants.length - 1] as TextVariant)
        .filter((item) => item.id === id)
        .map((item) => ({ ...item, ...usedTexts.missOf(offer) })),
    );
}

/** Offers of one rule. */
export interface OfferGroup {
  readonly rule: string;
  /** Share of the tier that it may fill before the other rules. */
  readonly share: number;
  /** True if it must not be left out. It may then use the budget of later tiers. */
  readonly isFirst: boolean;
  readonly offers: readonly Offer[];
}

/** An offer that is included in a tier, with the chosen text. */
export interface Placed {
  readonly rule: string;
  readonly offer: Offer;
  readonly form: TextVariant;
}

/**
 * Fills one tier: first each rule within its share, then the remaining budget, always with the shortest form. Then
 * forms are made longer while they fit.
 */
class TierFill {
  readonly tier: TextTier;
  readonly #groups: readonly OfferGroup[];
  readonly #usedTexts: UsedTexts;
  readonly #placed = new Map<OfferGroup, Map<Offer, TextVariant>>();
  #used = 0;

  constructor(tier: TextTier, groups: readonly OfferGroup[], usedTexts: UsedTexts) {
    this.tier = tier;
    this.#groups = groups;
    this.#usedTexts = usedTexts;
  }

  /** Tokens of its lines, and of the headings that it opened. */
  get used(): number {
    return this.#used;
  }

  /** @param all Budget of this tier and of all later ones. */
  fill(maxTokens: number, all: number): void {
    for (const group of this.#groups) {
      if (group.isFirst) this.#place(group, all);
      else this.#place(group, Math.min(maxTokens, this.#used + Math.floor(maxTokens * group.share)));
    }
    this.#enrich(
      all,
      this.#groups.filter(({ isFirst }) => isFirst),
    );
    this.grow(maxTokens);
  }

  /** Continues filling with a larger budget. */
  grow(maxTokens: number): void {
    for (const group of this.#groups) this.#place(group, maxTokens);
    this.#enrich(maxTokens, this.#groups);
  }

  placed(): readonly Placed[] {
    return this.#groups.flatMap((group) => this.#placedOf(group));
  }

  /** Offers that are not included. */
  left(): readonly Omit<Placed, "form">[] {
    return this.#groups.flatMap(({ rule, offers }) =>
      offers.filter((offer) => !this.#usedTexts.isIncluded(offer)).map((offer) => ({ rule, offer })),
    );
  }

  #placedOf(group: OfferGroup): readonly Placed[] {
    const placed = this.#placed.get(group);
    return group.offers.flatMap((offer) => {
      const form = placed?.get(offer);
      return form === undefined ? [] : [{ rule: group.rule, offer, form }];
    });
  }

  #place(group: OfferGroup, upTo: number): void {
    for (const offer of group.offers) {
      const form = this.#formFor(offer, upTo);
      if (form === undefined) continue;
      this.#used += form.tokens + this.#usedTexts.headingTokens(offer.section);
      this.#usedTexts.add(offer, form);
      const placed = this.#placed.get(group);
      if (placed === undefined) this.#placed.set(group, new Map([[offer, form]]));
      else placed.set(offer, form);
    }
  }

  /** Shortest form of an offer that fits and is not a repetition. */
  #formFor(offer: Offer, upTo: number): TextVariant | undefined {
    if (this.#usedTexts.isIncluded(offer) || this.#usedTexts.isFull(offer.section)) return undefined;
    const form = this.#usedTexts.shortestNew(offer);
    const tokens = (form?.tokens ?? 0) + this.#usedTexts.headingTokens(offer.section);
    if (this.#used + tokens > upTo) return undefined;
    const repeated = this.#usedTexts.repetitionOf(offer);
    if (repeated === undefined) return form;
    this.#usedTexts.leaveOut(offer, repeated);
    return undefined;
  }

  /**
   * Lengthens all forms to the summary, then all to the full text, so that one long text does not keep others short.
   */
  #enrich(maxTokens: number, groups: readonly OfferGroup[]): void {
    for (const level of ["summary", "full"] as const) {
      for (const { placed, offer, form } of this.#inOrder(groups)) {
        const richer = offer.variants.find((other) => other.level === level);
        if (richer === undefined || offer.variants.indexOf(richer) >= offer.variants.indexOf(form)) continue;
        const used = this.#used - form.tokens + richer.tokens;
        if (used > maxTokens || !this.#usedTexts.canReplace(offer, richer)) continue;
        this.#used = used;
        this.#usedTexts.replace(offer, richer);
        placed.set(offer, richer);
      }
    }
  }

  #inOrder(
    groups: readonly OfferGroup[],
  ): readonly { placed: Map<Offer, TextVariant>; offer: Offer; form: TextVariant }[] {
    return groups.flatMap((group) => {
      const placed = this.#placed.get(group) ?? new Map<Offer, TextVariant>();
      return group.offers.flatMap((offer) => {
        const form = placed.get(offer);
        return form === undefined ? [] : [{ placed, offer, form }];
      });
    });
  }
}
