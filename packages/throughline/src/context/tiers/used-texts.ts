import { countTokens } from "../../tokens/count-tokens.ts";
import type { ContextMiss } from "../context-api.ts";
import type { Member } from "./score-candidates.ts";
import { headingOf, type Section } from "./sections.ts";
import type { TextVariant } from "./text-variants.ts";

export interface Offer {
  readonly members: readonly Member[];
  /** Longest first. Not empty. */
  readonly variants: readonly TextVariant[];
  /** Normalized words of the full text. */
  readonly words: string;
  readonly section: Section;
}

/** Minimum characters of a text that is left out because a longer one contains it. */
const MIN_PART_LENGTH = 20;
/** Sections with the user's rules, which a story of other sections does not replace. */
const RULE_SECTIONS: ReadonlySet<Section> = new Set(["pinned", "rules", "preferences"]);

const HEADING_TOKENS = new Map<Section, number>();

function tokensOfHeading(section: Section): number {
  const tokens = HEADING_TOKENS.get(section) ?? countTokens(headingOf(section));
  HEADING_TOKENS.set(section, tokens);
  return tokens;
}

/** Content of all tiers so far, to avoid duplicates. */
export class UsedTexts {
  readonly #ids = new Set<string>();
  /** Included offers with their forms. */
  readonly #forms = new Map<Offer, TextVariant>();
  /** Included offers by the words of their forms. No two forms have the same words. */
  readonly #words = new Map<string, Offer>();
  /** Included offers by the words of their full texts. */
  readonly #copies = new Map<string, Offer>();
  /** Offers that were left out because a form has their words, by the offer of this form. */
  readonly #repeated = new Map<Offer, Set<Offer>>();
  readonly #sections = new Map<Section, number>();
  readonly #maxEpisodes: number;
  /** Words of the included forms, one form per line. Undefined after a form was replaced. */
  #text: string | undefined = "";

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

  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  isIncluded({ members }: Offer): boolean {
    return members.some(({ id }) => this.#ids.has(id));
  }

  /** Shortest form whose words are not included yet. Short forms of different memories can be equal. */
  shortestNew({ variants }: Offer): TextVariant | undefined {
    return variants.findLast(({ words }) => !this.#words.has(words));
  }

  /** Included offer whose form has the words of an offer. */
  repetitionOf(offer: Offer): Offer | undefined {
    if (this.shortestNew(offer) === undefined) return this.#words.get(offer.variants.at(-1)?.words ?? "");
    const copy = this.#copies.get(offer.words);
    if (copy !== undefined && this.#covers(copy, offer)) return copy;
    // Most texts are not repeated.
    if (!this.#allWords().includes(` ${offer.words} `)) return undefined;
    return [...this.#forms.keys()].find((shown) => this.#covers(shown, offer));
  }

  /** Reason why an offer is not included. */
  missOf(offer: Offer): Pick<ContextMiss, "cause" | "repeats"> {
    const [first] = this.repetitionOf(offer)?.members ?? [];
    if (first !== undefined) return { cause: "repeated", repeats: first.id };
    return { cause: this.isFull(offer.section) ? "section-full" : "no-room" };
  }

  /** Records that an offer is left out, so that the form that has its words is not replaced by one without them. */
  leaveOut(offer: Offer, repeated: Offer): void {
    const known = this.#repeated.get(repeated);
    if (known === undefined) this.#repeated.set(repeated, new Set([offer]));
    else known.add(offer);
  }

  add(offer: Offer, form: TextVariant): void {
    this.#sections.set(offer.section, (this.#sections.get(offer.section) ?? 0) + 1);
    for (const { id } of offer.members) this.#ids.add(id);
    this.#forms.set(offer, form);
    this.#words.set(form.words, offer);
    if (this.#text !== undefined) this.#text += lineOf(form);
    if (!this.#copies.has(offer.words)) this.#copies.set(offer.words, offer);
  }

  /** True if an included offer can have another form: no other offer has its words, or was left out for lost ones. */
  canReplace(offer: Offer, to: TextVariant): boolean {
    const owner = this.#words.get(to.words);
    if (owner !== undefined && owner !== offer) return false;
    return [...(this.#repeated.get(offer) ?? [])].every((repeated) => isCovered(repeated, offer, to));
  }

  replace(offer: Offer, to: TextVariant): void {
    const from = this.#forms.get(offer);
    if (from !== undefined) this.#words.delete(from.words);
    this.#words.set(to.words, offer);
    this.#forms.set(offer, to);
    this.#text = undefined;
  }

  #allWords(): string {
    this.#text ??= [...this.#forms.values()].map(lineOf).join("");
    return this.#text;
  }

  #covers(shown: Offer, offer: Offer): boolean {
    const form = this.#forms.get(shown);
    return form !== undefined && isCovered(offer, shown, form);
  }
}

function lineOf({ words }: TextVariant): string {
  return ` ${words} \n`;
}

/**
 * True if a form has all words of another offer, in this order. A copy with the same full text is covered by a short
 * form too.
 */
function isCovered(offer: Offer, shown: Offer, form: TextVariant): boolean {
  if (RULE_SECTIONS.has(offer.section) && !RULE_SECTIONS.has(shown.section)) return false;
  const { words, variants } = offer;
  if (shown.words === words) return hasWords(form, variants.at(-1)?.words ?? words) || hasWords(form, words);
  return words.length >= MIN_PART_LENGTH && hasWords(form, words);
}

function hasWords(form: TextVariant, words: string): boolean {
  return lineOf(form).includes(` ${words} `);
}
