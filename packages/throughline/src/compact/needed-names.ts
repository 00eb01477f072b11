import { valuesText } from "../internal/json.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { toolOutputText } from "../message/tool-output.ts";

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
