import { findIdentifiers } from "../ledger/find-identifiers.ts";
import { specificTo } from "../ledger/render/specific-names.ts";
import type { Message } from "../message/message.ts";
import { messageText } from "../message/message-text.ts";
import type { TranscriptCompaction } from "../transcript/transcript.ts";
import { type NameUse, NeededNames, namedIn, readNameUses } from "./needed-names.ts";

/** Names of one window that are remembered. */
const MAX_KNOWN = 200_000;
/** Characters of a summary that are searched. */
const MAX_SUMMARY = 200_000;
/** `in_progress`: if only the agent wrote it, it is a fixed value of a tool. */
const FIXED_VALUE = /^[a-z]+(?:_[a-z]+)+$/;

/** `~40ms`: about forty. */
const ABOUT = /^~\d/;

const isSpecific = specificTo({ files: [], names: [] });

/** The names that an agent needed after its compaction, and those of them that the compaction kept. */
export interface CompactionReview {
  /** Number of tool calls after the compaction that count: at most 40, and fewer if the session has no more. */
  readonly calls: number;
  /** Number of names that these calls used, and that only the time before the compaction had shown. */
  readonly needed: number;
  /** Number of them that the summary, or the rest of the window, still has. */
  readonly kept: number;
  /** Names of them. */
  readonly keptNames: readonly string[];
  /** The others: files first, then most used first. Paths are relative to the working folder. */
  readonly missing: readonly string[];
}

/** A compaction under review. */
interface Review {
  readonly needed: NeededNames;
  /** Undefined if the transcript has neither the summary nor the window. */
  readonly isKept: ((name: string) => boolean) | undefined;
}

/** Reviews the compactions of one session while it is read. Memory grows with the names of one window. */
export class CompactionReviewer {
  #known = new Set<string>();
  readonly #reviews: Review[] = [];

  /** Takes the next message of the session. */
  message(message: Message): void {
    const uses = readNameUses(message, readNames);
    // A summary has the role of the user, but the review is about its content.
    if (message.isSummary !== true) this.#reviews.at(-1)?.needed.take(uses);
    for (const use of uses) this.#learn(use);
  }

  /** Takes a compaction before the next message. */
  compaction({ summary, window = [] }: TranscriptCompaction): void {
    const known = this.#known;
    const needed = new NeededNames((name) => known.has(name));
    const rest = [summary ?? "", ...window.map(messageText)].join("\n").trim();
    this.#reviews.push({ needed, isKept: rest === "" ? undefined : namedIn(rest.slice(0, MAX_SUMMARY)) });
    this.#known = new Set(readNames(summary ?? ""));
  }

  /**
   * One review per compaction, in order; `undefined` if the transcript does not list the kept messages.
   *
   * @param folder Working folder of the session. Agents have it in their instructions, so it is never missing, and a
   *   path relative to it is as good as the whole path
   */
  reviews(folder = ""): readonly (CompactionReview | undefined)[] {
    const separator = folder.includes("\\") ? "\\" : "/";
    const root = folder === "" || folder.endsWith(separator) ? folder : `${folder}${separator}`;
    const shorten = (name: string) =>
      root !== "" && name.startsWith(root) ? name.slice(root.length) : name.replace(/^\.\//, "");
    return this.#reviews.map(({ needed, isKept }) => {
      if (isKept === undefined) return undefined;
      const names = [...needed.typed].filter(
        ([name]) => !root.startsWith(name.endsWith(separator) ? name : `${name}${separator}`),
      );
      const missing = names.filter(([name]) => !isKept(name) && !isKept(shorten(name))).sort(filesFirst);
      const missingNames = new Set(missing.map(([name]) => name));
      const keptNames = names.flatMap(([name]) => (missingNames.has(name) ? [] : [shorten(name)]));
      return {
        calls: needed.calls,
        needed: names.length,
        kept: keptNames.length,
        keptNames,
        missing: missing.map(([name]) => shorten(name)),
      };
    });
  }

  #learn({ kind, names }: NameUse): void {
    for (const name of names) {
      if (this.#known.size >= MAX_KNOWN) return;
      if (kind !== "typed" || !FIXED_VALUE.test(name)) this.#known.add(name);
    }
  }
}

const FILE = /\.[A-Za-z]\w{0,5}$/;

/** People recognize files best. A file is a path: `time.Now` looks like one. */
function filesFirst([a, usesOfA]: readonly [string, number], [b, usesOfB]: readonly [string, number]): number {
  const isFile = (name: string) => name.includes("/") && FILE.test(name);
  return Number(isFile(b)) - Number(isFile(a)) || usesOfB - usesOfA;
}

function readNames(text: string): string[] {
  return [...findIdentifiers(text).keys()].filter((name) => isSpecific(name) && !ABOUT.test(name));
}
