import type { Memory } from "throughline";
import { findSecrets } from "throughline/internal/util";
import { type BlockItem, type BlockSection, TITLE, type WrittenSection } from "./memory-block.ts";
import { type MemoryLine, SECTIONS, type SectionName } from "./memory-lines.ts";
import { digestOf, type SyncedLine } from "./synced-states.ts";

/** Changes of memories that follow from edits in the file. */
export type MemoryChange =
  | { readonly action: "add"; readonly text: string; readonly line: number }
  | {
      readonly action: "change";
      readonly text: string;
      readonly line: number;
      readonly from: string;
      readonly memories: readonly Memory[];
    }
  | { readonly action: "forget"; readonly text: string; readonly memories: readonly Memory[] };

/** Both sides of a sync, and the lines that both have. */
export interface SyncInput {
  /** The sections of the block; `undefined` if the file has no block. */
  readonly sections: readonly BlockSection[] | undefined;
  /** The block after the last sync. */
  readonly base: readonly SyncedLine[];
  /** The current memories by their text, oldest first. */
  readonly lines: ReadonlyMap<string, MemoryLine>;
  /** The current memory that replaced an ended one, by the id of the ended one. */
  readonly successors: ReadonlyMap<string, string>;
  /** Digests of lines that a person deleted before. */
  readonly removed: ReadonlySet<string>;
}

export interface SyncPlan {
  /** The block after the sync. */
  readonly sections: readonly WrittenSection[];
  readonly changes: readonly MemoryChange[];
  /** Sentences about lines that changed on both sides, and about lines that are not saved. */
  readonly notes: readonly string[];
}

/**
 * Merges the block of a file and the memories of a project, each compared with the last sync. Lines keep their place;
 * new ones are added at the end of their section.
 */
export function planSync(input: SyncInput): SyncPlan {
  return new Merge(input).plan();
}

/** Minimum share of common words of an edited line. */
const MIN_LIKENESS = 0.5;

class Merge {
  readonly #input: SyncInput;
  readonly #lineOfId = new Map<string, MemoryLine>();
  readonly #base: ReadonlyMap<string, SyncedLine>;
  /** Texts of the block before and after the sync. */
  readonly #items: ReadonlySet<string>;
  readonly #placed = new Set<string>();
  /** Texts that are not added to the file. */
  readonly #dropped = new Set<string>();
  readonly #changes: MemoryChange[] = [];
  readonly #notes: string[] = [];

  constructor(input: SyncInput) {
    this.#input = input;
    for (const line of input.lines.values()) for (const { id } of line.memories) this.#lineOfId.set(id, line);
    // Deleting a whole block does not delete its lines' memories.
    this.#base = new Map(input.sections === undefined ? [] : input.base.map((line) => [line.digest, line]));
    this.#items = new Set(input.sections?.flatMap(({ items }) => items.map(({ text }) => text)));
  }

  plan(): SyncPlan {
    const { sections = [{ heading: TITLE, items: [] }] } = this.#input;
    const edited = this.#pairEdits(sections.flatMap(({ items }) => items));
    const kept = sections.map(({ heading, items }) => ({
      heading,
      texts: items.flatMap((item) => this.#place(item, edited.get(item))),
    }));
    const returned = this.#readDeleted(new Set(edited.values()));
    const written = kept.filter(({ heading, texts }) => texts.length > 0 || nameOf(heading) === undefined);
    return {
      sections: this.#addNew(written, returned),
      changes: this.#changes,
      notes: this.#notes,
    };
  }

  /** The line that the memories of a synced line have now. */
  #now({ ids }: SyncedLine): MemoryLine | undefined {
    const { successors } = this.#input;
    return ids.map((id) => this.#lineOfId.get(id) ?? this.#lineOfId.get(successors.get(id) ?? "")).find(Boolean);
  }

  #currentTexts(synced: SyncedLine): readonly string[] {
    const now = this.#now(synced);
    return now === undefined ? [] : [now.text];
  }

  /** Synced lines that are not in the file any more, in the order of the block. */
  #missing(): readonly SyncedLine[] {
    const present = new Set([...this.#items].map(digestOf));
    return [...this.#base.values()].filter(({ digest }) => !present.has(digest));
  }

  /** The synced line of each edited item: the most similar one that is missing. */
  #pairEdits(items: readonly BlockItem[]): ReadonlyMap<BlockItem, SyncedLine> {
    const missing = this.#missing().flatMap((line) => {
      const now = this.#now(line);
      return now === undefined || this.#items.has(now.text) ? [] : [{ line, words: wordsOf(now.text) }];
    });
    const unknown = items.filter(({ text }) => !this.#base.has(digestOf(text)) && !this.#input.lines.has(text));
    const pairs = unknown.flatMap((item) => {
      const words = wordsOf(item.text);
      return missing.map(({ line, words: other }) => ({ item, line, likeness: likenessOf(words, other) }));
    });
    const paired = new Map<BlockItem, SyncedLine>();
    const taken = new Set<SyncedLine>();
    for (const { item, line, likeness } of pairs.toSorted((a, b) => b.likeness - a.likeness)) {
      if (likeness < MIN_LIKENESS) break;
      if (paired.has(item) || taken.has(line)) continue;
      paired.set(item, line);
      taken.add(line);
    }
    return paired;
  }

  /** The texts of an item after the sync. */
  #place(item: BlockItem, edited: SyncedLine | undefined): readonly string[] {
    return this.#textsOf(item, edited).filter((text) => {
      const isNew = !this.#placed.has(text);
      this.#placed.add(text);
      return isNew;
    });
  }

  #textsOf(item: BlockItem, edited: SyncedLine | undefined): readonly string[] {
    const { text, line } = item;
    if (this.#input.lines.has(text) || this.#placed.has(text)) return [text];
    const synced = this.#base.get(digestOf(text));
    // Its memory changed since, or ended.
    if (synced !== undefined) return this.#currentTexts(synced);
    if (findSecrets(text).length > 0) {
      this.#notes.push(`Line ${line} looks like a password or key. It is not saved as a memory.`);
      return [text];
    }
    const now = edited && this.#now(edited);
    if (now !== undefined && digestOf(now.text) === edited?.digest) {
      this.#dropped.add(now.text);
      this.#changes.push({ action: "change", text, line, from: now.text, memories: now.memories });
      return [text];
    }
    this.#changes.push({ action: "add", text, line });
    if (now === undefined) return [text];
    this.#notes.push(
      `Line ${line} and its memory both changed since the last sync. Both are kept: delete the wrong one.`,
    );
    return [text, now.text];
  }

  /** Forgets the memories of deleted lines, and returns the lines that changed since. */
  #readDeleted(edited: ReadonlySet<SyncedLine>): readonly MemoryLine[] {
    return this.#missing().flatMap((synced) => {
      const now = this.#now(synced);
      if (edited.has(synced) || now === undefined || this.#placed.has(now.text)) return [];
      if (digestOf(now.text) === synced.digest) {
        this.#dropped.add(now.text);
        this.#changes.push({ action: "forget", text: now.text, memories: now.memories });
        return [];
      }
      this.#notes.push(
        `The memory of a deleted line changed since the last sync, so the line is added again: ${now.text}`,
      );
      return [now];
    });
  }

  /** Adds the lines that the block does not have yet. */
  #addNew(sections: readonly WrittenSection[], returned: readonly MemoryLine[]): readonly WrittenSection[] {
    const { lines, removed } = this.#input;
    const isWanted = ({ text, section, memories }: MemoryLine) => {
      if (section === undefined || this.#dropped.has(text)) return false;
      // A deleted line does not come back by being extracted again, only by hand.
      return !removed.has(digestOf(text)) || memories.some(({ byHand }) => byHand);
    };
    const wanted = new Set([...returned, ...[...lines.values()].filter(isWanted)]);
    const added = [...wanted].filter(({ text }) => !this.#placed.has(text));
    return SECTIONS.reduce((all, name) => {
      const texts = added.filter(({ section = "Rules" }) => section === name).map(({ text }) => text);
      return texts.length === 0 ? all : addToSection(all, name, texts);
    }, sections);
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]);
}

function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return (2 * common) / (a.size + b.size);
}

/** The section of a heading; `undefined` if a person added it. */
function nameOf(heading: string): SectionName | undefined {
  const words = heading.replace(/^#+\s*/, "").toLowerCase();
  return SECTIONS.find((name) => name.toLowerCase() === words);
}

function addToSection(
  sections: readonly WrittenSection[],
  name: SectionName,
  texts: readonly string[],
): readonly WrittenSection[] {
  const at = sections.findIndex(({ heading }) => nameOf(heading) === name);
  if (at !== -1) {
    return sections.map((section, i) => (i === at ? { ...section, texts: [...section.texts, ...texts] } : section));
  }
  const later = SECTIONS.slice(SECTIONS.indexOf(name) + 1);
  const next = sections.findIndex(({ heading }) => later.some((one) => one === nameOf(heading)));
  return sections.toSpliced(next === -1 ? sections.length : next, 0, { heading: `### ${name}`, texts });
}
