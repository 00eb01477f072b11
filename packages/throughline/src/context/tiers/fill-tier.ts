import { countTokens } from "../../tokens/count-tokens.ts";
import type { Member } from "./rules/candidate.ts";
import type { Form } from "./tell-forms.ts";

/** Something that may stand in a tier: why, and at which lengths. */
export interface Offer {
  readonly members: readonly Member[];
  /** The richest first; never none. */
  readonly forms: readonly Form[];
  /** The words of all of it. */
  readonly words: string;
}

/** What one rule offers. */
export interface OfferGroup {
  readonly rule: string;
  /** What stands over it. */
  readonly label: string;
  /** The share of the tier that it may fill before the others had their turn. */
  readonly share: number;
  /** It may fill more than the tier: what nobody may leave out. */
  readonly isFirst: boolean;
  readonly offers: readonly Offer[];
}

/** An offer that stands in a tier, and how it is told. */
export interface Placed {
  readonly rule: string;
  readonly offer: Offer;
  readonly form: Form;
}

/** What a context says so far, in all tiers: nothing is said twice. */
export class SaidSoFar {
  readonly #ids = new Set<string>();
  readonly #words = new Set<string>();

  /** The shortest way to tell it that says something new: in a few words, different things may sound alike. */
  shortestNew({ members, words, forms }: Offer): Form | undefined {
    if (members.some(({ id }) => this.#ids.has(id)) || this.#words.has(words)) return undefined;
    return forms.findLast((form) => !this.hasWords(form));
  }

  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  hasWords({ words }: Form): boolean {
    return this.#words.has(words);
  }

  add({ members, words }: Offer, form: Form): void {
    for (const { id } of members) this.#ids.add(id);
    this.#words.add(words).add(form.words);
  }

  retell({ words }: Offer, from: Form, to: Form): void {
    if (from.words !== words) this.#words.delete(from.words);
    this.#words.add(to.words);
  }
}

/**
 * Fills one tier. First each rule in its share, then what is left over, all of it as short as it gets; then each as rich as
 * there is room for.
 */
export class TierFill {
  readonly #groups: readonly OfferGroup[];
  readonly #said: SaidSoFar;
  readonly #placed = new Map<OfferGroup, Map<Offer, Form>>();
  #used = 0;

  constructor(groups: readonly OfferGroup[], said: SaidSoFar) {
    this.#groups = groups;
    this.#said = said;
  }

  /** Tokens of its lines. */
  get used(): number {
    return this.#used;
  }

  get isEmpty(): boolean {
    return this.#placed.size === 0;
  }

  /** `all`: the room of this tier and of all that come behind it. */
  fill(room: number, all: number): void {
    for (const group of this.#groups) {
      if (group.isFirst) this.#place(group, all);
      else this.#place(group, Math.min(room, this.#used + Math.floor(room * group.share)));
    }
    this.#enrich(
      all,
      this.#groups.filter(({ isFirst }) => isFirst),
    );
    this.grow(room);
  }

  /** Goes on filling where there is more room now. */
  grow(room: number): void {
    for (const group of this.#groups) this.#place(group, room);
    this.#enrich(room, this.#groups);
  }

  placed(): readonly Placed[] {
    return this.#groups.flatMap((group) => this.#placedOf(group));
  }

  /** What found no room. */
  left(): readonly { readonly rule: string; readonly offer: Offer }[] {
    return this.#groups.flatMap((group) =>
      group.offers
        .filter((offer) => this.#said.shortestNew(offer) !== undefined)
        .map((offer) => ({ rule: group.rule, offer })),
    );
  }

  lines(): readonly string[] {
    return this.#groups.flatMap((group) => {
      const placed = this.#placedOf(group);
      return placed.length === 0 ? [] : [`${group.label}\n`, ...placed.map(({ form }) => form.line)];
    });
  }

  /** In the order of its offers, whichever of them came first. */
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
      if (form === undefined) continue;
      const placed = this.#placed.get(group);
      const tokens = form.tokens + (placed === undefined ? countTokens(`${group.label}\n`) : 0);
      if (this.#used + tokens > upTo) continue;
      this.#used += tokens;
      this.#said.add(offer, form);
      if (placed === undefined) this.#placed.set(group, new Map([[offer, form]]));
      else placed.set(offer, form);
    }
  }

  /** First all a little richer, then all as rich as can be: no story of one keeps the others short. */
  #enrich(room: number, groups: readonly OfferGroup[]): void {
    for (const level of ["summary", "full"] as const) {
      for (const { placed, offer, form } of this.#inOrder(groups)) {
        const richer = offer.forms.find((other) => other.level === level);
        if (richer === undefined || offer.forms.indexOf(richer) >= offer.forms.indexOf(form)) continue;
        const used = this.#used - form.tokens + richer.tokens;
        if (used > room || this.#isSaidElsewhere(offer, form, richer)) continue;
        this.#used = used;
        this.#said.retell(offer, form, richer);
        placed.set(offer, richer);
      }
    }
  }

  #inOrder(groups: readonly OfferGroup[]): readonly { placed: Map<Offer, Form>; offer: Offer; form: Form }[] {
    return groups.flatMap((group) => {
      const placed = this.#placed.get(group) ?? new Map<Offer, Form>();
      return group.offers.flatMap((offer) => {
        const form = placed.get(offer);
        return form === undefined ? [] : [{ placed, offer, form }];
      });
    });
  }

  /** Its own words, short or in full, are no repetition. */
  #isSaidElsewhere({ words }: Offer, form: Form, other: Form): boolean {
    return other.words !== words && other.words !== form.words && this.#said.hasWords(other);
  }
}
