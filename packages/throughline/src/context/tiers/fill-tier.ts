import type { TextVariant } from "./text-variants.ts";
import type { Offer, UsedTexts } from "./used-texts.ts";

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

  /** Offers that are not included. */
  left(): readonly Omit<Placed, "form">[] {
    return this.#groups.flatMap(({ rule, offers }) =>
      offers.filter((offer) => !this.#said.isIncluded(offer)).map((offer) => ({ rule, offer })),
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
      const form = this.#formFor(offer, upTo);
      if (form === undefined) continue;
      this.#used += form.tokens + this.#said.headingTokens(offer.section);
      this.#said.add(offer, form);
      const placed = this.#placed.get(group);
      if (placed === undefined) this.#placed.set(group, new Map([[offer, form]]));
      else placed.set(offer, form);
    }
  }

  /** Shortest form of an offer that fits and is not a repetition. */
  #formFor(offer: Offer, upTo: number): TextVariant | undefined {
    if (this.#said.isIncluded(offer) || this.#said.isFull(offer.section)) return undefined;
    const form = this.#said.shortestNew(offer);
    const tokens = (form?.tokens ?? 0) + this.#said.headingTokens(offer.section);
    if (this.#used + tokens > upTo) return undefined;
    const repeated = this.#said.repetitionOf(offer);
    if (repeated === undefined) return form;
    this.#said.leaveOut(offer, repeated);
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
        if (used > maxTokens || !this.#said.canReplace(offer, richer)) continue;
        this.#used = used;
        this.#said.replace(offer, richer);
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
