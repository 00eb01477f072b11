import { countTokens } from "../../tokens/count-tokens.ts";
import type { Member } from "./rules/candidate.ts";
import { headingOf, type Section } from "./sections.ts";
import type { TextVariant } from "./text-variants.ts";

/** A candidate for a tier, with its reasons and its texts by length. */
export interface Offer {
  readonly members: readonly Member[];
  /** Longest first. Not empty. */
  readonly variants: readonly TextVariant[];
  /** Normalized words of the full text. */
  readonly words: string;
  readonly section: Section;
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

/** Minimum characters of a text that is left out because a longer one contains it. */
const MIN_PART_LENGTH = 20;

const HEADING_TOKENS = new Map<Section, number>();

function tokensOfHeading(section: Section): number {
  const tokens = HEADING_TOKENS.get(section) ?? countTokens(headingOf(section));
  HEADING_TOKENS.set(section, tokens);
  return tokens;
}

/** Content of all tiers so far, to avoid duplicates. */
export class UsedTexts {
  readonly #ids = new Set<string>();
  readonly #words = new Set<string>();
  readonly #sections = new Map<Section, number>();
  readonly #maxEpisodes: number;
  /** Words of the included texts, one text per line. */
  #text = "";

  /** @param maxEpisodes Maximum number of episodes of earlier work. */
  constructor(maxEpisodes: number) {
    this.#maxEpisodes = maxEpisodes;
  }

  /** Tokens of the heading that a section still needs. */
  headingTokens(section: Section): number {
    return this.#sections.has(section) ? 0 : tokensOfHeading(section);
  }

  /** True if a section has as many items as it may have. */
  isFull(section: Section): boolean {
    return section === "work" && (this.#sections.get(section) ?? 0) >= this.#maxEpisodes;
  }

  /** Shortest form that is not a duplicate. Short forms of different memories can be equal. */
  shortestNew({ members, words, variants }: Offer): TextVariant | undefined {
    if (members.some(({ id }) => this.#ids.has(id)) || this.#words.has(words)) return undefined;
    return variants.findLast((form) => !this.hasWords(form));
  }

  /** True if an included text contains all words of an offer, in this order. */
  isPartOfUsed({ words }: Offer): boolean {
    return words.length >= MIN_PART_LENGTH && this.#text.includes(` ${words} `);
  }

  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  hasWords({ words }: TextVariant): boolean {
    return this.#words.has(words);
  }

  add({ members, words, section }: Offer, form: TextVariant): void {
    this.#sections.set(section, (this.#sections.get(section) ?? 0) + 1);
    for (const { id } of members) this.#ids.add(id);
    this.#words.add(words).add(form.words);
    this.#text += ` ${words} \n`;
  }

  replace({ words }: Offer, from: TextVariant, to: TextVariant): void {
    if (from.words !== words) this.#words.delete(from.words);
    this.#words.add(to.words);
  }
}

/**
 * Fills one tier: first each rule within its share, then the remaining budget, always with the shortest form. Then
 * forms are made longer while they fit.
 */
export class TierFill {
  readonly #groups: readonly OfferGroup[];
  readonly #said: UsedTexts;
  readonly #placed = new Map<OfferGroup, Map<Offer, TextVariant>>();
  #used = 0;

  constructor(groups: readonly OfferGroup[], usedTexts: UsedTexts) {
    this.#groups = groups;
    this.#said = usedTexts;
  }

  /** Tokens of its lines, and of the headings that it opened. */
  get used(): number {
    return this.#used;
  }

  get isEmpty(): boolean {
    return this.#placed.size === 0;
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

  /** Offers that did not fit. */
  left(): readonly { readonly rule: string; readonly offer: Offer }[] {
    return this.#groups.flatMap((group) =>
      group.offers
        .filter((offer) => this.#said.shortestNew(offer) !== undefined)
        .map((offer) => ({ rule: group.rule, offer })),
    );
  }

  /** Placed offers in the order of the group. */
  #placedOf(group: OfferGroup): readonly Placed[] {
    const placed = this.#placed.get(group);
    return group.offers.flatMap((offer) => {
      const form = placed?.get(offer);
      return form === undefined ? [] : [{ rule: group.rule, offer, form }];
    });
  }

  #place(group: OfferGroup, upTo: number): void {
    for (const offer of group.offers) {
      const form = this.#said.shortestNew(offer);
      if (form === undefined || this.#said.isFull(offer.section)) continue;
      const tokens = form.tokens + this.#said.headingTokens(offer.section);
      if (this.#used + tokens > upTo || this.#said.isPartOfUsed(offer)) continue;
      this.#used += tokens;
      this.#said.add(offer, form);
      const placed = this.#placed.get(group);
      if (placed === undefined) this.#placed.set(group, new Map([[offer, form]]));
      else placed.set(offer, form);
    }
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
        if (used > maxTokens || this.#isSaidElsewhere(offer, form, richer)) continue;
        this.#used = used;
        this.#said.replace(offer, form, richer);
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

  /** True if another offer has these words already. Other forms of the same offer do not count. */
  #isSaidElsewhere({ words }: Offer, form: TextVariant, other: TextVariant): boolean {
    return other.words !== words && other.words !== form.words && this.#said.hasWords(other);
  }
}
