import { valuesText } from "../internal/json.ts";
import { findIdentifiers } from "../ledger/find-identifiers.ts";
import { specificTo } from "../ledger/ledger-names.ts";
import type { Message } from "../message/message.ts";
import { messageText } from "../message/message-text.ts";
import type { Part } from "../message/part.ts";
import { toolOutputText } from "../message/tool-output.ts";
import type { TranscriptCompaction } from "../transcript/transcript.ts";

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

/** Tool calls after a compaction that count. */
const MAX_CALLS = 40;
/** A call that writes a long file contains very many names. */
const MAX_NEEDED = 2_000;
/** Roots that are searched for each name. A note declares one. */
const MAX_ROOTS = 8;

/** Names in one part of a message. */
export interface NameUse {
  /** Source of a name: typed by the agent in a call, shown to the agent, or written in its text. */
  readonly kind: "typed" | "shown" | "said";
  readonly names: ReadonlySet<string>;
}

/** The names in a message, by part. */
export function readNameUses(
  { role, parts }: Message,
  findNames: (text: string) => Iterable<string>,
): readonly NameUse[] {
  return parts.map((part): NameUse => {
    const names = new Set(findNames(textOf(part)));
    if (part.type === "tool-call") return { kind: "typed", names };
    const isShown = part.type === "tool-result" || (role === "user" && part.type === "text");
    return { kind: isShown ? "shown" : "said", names };
  });
}

function textOf(part: Part): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "compaction-marker":
      return part.summary;
    case "tool-call":
      return valuesText(part.input);
    case "tool-result":
      return part.output.type === "json" || part.output.type === "error-json"
        ? valuesText(part.output.value)
        : toolOutputText(part.output);
    default:
      return "";
  }
}

/**
 * Names that an agent needs from the time before a point: it types them in its next 40 calls, they are known from
 * before, and nothing shows them again before their first use.
 */
export class NeededNames {
  readonly #isKnown: (name: string) => boolean;
  readonly #shown = new Set<string>();
  readonly #typed = new Map<string, number>();
  #calls = 0;

  /** @param isKnown true for a name that occurs before the point */
  constructor(isKnown: (name: string) => boolean) {
    this.#isKnown = isKnown;
  }

  /** The needed names, in the order of their first use, with the number of calls that use them. */
  get typed(): ReadonlyMap<string, number> {
    return this.#typed;
  }

  /** Tool calls that were read. */
  get calls(): number {
    return Math.min(this.#calls, MAX_CALLS);
  }

  /** True if later messages change nothing. */
  get isComplete(): boolean {
    return this.#calls > MAX_CALLS;
  }

  /** Takes the next message after the point. */
  take(uses: readonly NameUse[]): void {
    for (const { kind, names } of uses) {
      if (kind === "typed") this.#calls += 1;
      if (this.isComplete) return;
      if (kind === "shown") for (const name of names) this.#shown.add(name);
      if (kind === "typed") for (const name of names) this.#type(name);
    }
  }

  #type(name: string): void {
    const before = this.#typed.get(name);
    if (before !== undefined) this.#typed.set(name, before + 1);
    else if (this.#typed.size < MAX_NEEDED && !this.#shown.has(name) && this.#isKnown(name)) this.#typed.set(name, 1);
  }
}

/** Returns a test for whether a text names an identifier, or a path by its remainder under a root that it declares. */
export function namedIn(text: string): (name: string) => boolean {
  const roots = declaredRoots(text);
  return (name) => {
    const path = name.replace(/^.*\/\.|^\//, "");
    const isBelow = (root: string) =>
      [name, path].some((one) => one.startsWith(`${root}/`) && text.includes(one.slice(root.length + 1)));
    return text.includes(name) || roots.some(isBelow);
  };
}

/** Folders that a text declares as in "relative to /home/me/project". */
function declaredRoots(text: string): readonly string[] {
  const declared = [...text.matchAll(/relative to `?([^\s`,)]{1,400})/gi)].map(([, root = ""]) => trimEnd(root));
  return [...new Set(declared)].filter((root) => root !== "").slice(0, MAX_ROOTS);
}

/** Without dots and slashes at the end. */
function trimEnd(root: string): string {
  let end = root.length;
  while (end > 0 && "./".includes(root.charAt(end - 1))) end -= 1;
  return root.slice(0, end);
}
