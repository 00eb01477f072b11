import { oneLine } from "../../internal/one-line.ts";
import { asData } from "../../memory/service/data-block.ts";
import { memoryText } from "../../memory/service/memory-text.ts";
import type { Memory } from "../../ports/memory.ts";

/** An episode in at most three lines, and in more. */
interface EpisodeLines {
  readonly title: string;
  /** How it ended. Empty if unknown. */
  readonly outcome: string;
  /** What was decided and found. Empty if unknown. */
  readonly decided: string;
  /** Lines of the full text below the title, as many as fit. */
  readonly body: readonly string[];
  /** True if the work was not finished. */
  readonly isUnfinished: boolean;
}

const MAX_TITLE_LENGTH = 200;
const MAX_LINE_LENGTH = 400;
/** A paragraph about a stretch of work. */
const MAX_PARAGRAPH_LENGTH = 900;
const MAX_BODY_LENGTH = 1_500;
/** A line of an episode with its outcome, or with its next steps. */
const OUTCOME = /^Outcome: (.+)$/m;
const NEXT = /^Next: (.+)$/m;
const UNFINISHED = /^(?:partly|not) done\b/i;
/** Date, commit and state after a title. */
const FACTS = / \([^()]{0,80}\)/;
const FACTS_AT_START = new RegExp(`^${FACTS.source}`);
const FACTS_AT_END = new RegExp(`${FACTS.source}$`);

/**
 * Title, outcome and decisions of an episode, from its full text and its summary. They do not depend on its served
 * level, so that consolidation does not change them.
 */
export function episodeLines(memory: Memory): EpisodeLines {
  const { levels } = memory;
  const full = memoryText(memory, "full");
  const [first = "", ...rest] = full.split("\n").filter((line) => line.trim() !== "");
  const summary = oneLine(memoryText(memory, "summary"), MAX_LINE_LENGTH);
  const outcome = OUTCOME.exec(full)?.[1] ?? "";
  const isUnfinished = UNFINISHED.test(outcome);
  const next = isUnfinished ? NEXT.exec(full)?.[1] : undefined;
  const { facts, sentences } = splitSummary(summary, first);
  // A story in one paragraph has no title. Its summary says the same in fewer words.
  const isUntitled = rest.length === 0 && first.length > MAX_TITLE_LENGTH;
  const title = FACTS_AT_END.test(first) ? first : `${first}${facts}`;
  return {
    title: isUntitled ? asData(summary, MAX_LINE_LENGTH) : asData(title, MAX_TITLE_LENGTH),
    outcome: asData(next === undefined ? outcome : `${outcome} Next: ${next}`, MAX_LINE_LENGTH),
    decided: rest.length === 0 || levels.summary === levels.full ? "" : asData(sentences, MAX_LINE_LENGTH),
    body: firstLines(rest),
    isUnfinished,
  };
}

function firstLines(lines: readonly string[]): readonly string[] {
  let length = 0;
  return lines
    .map((line) => asData(line, MAX_PARAGRAPH_LENGTH))
    .filter((line) => {
      length += line.length;
      return length <= MAX_BODY_LENGTH;
    });
}

/** Date, commit and state that a summary has after the title, and the sentences behind them. */
function splitSummary(summary: string, heading: string): { readonly facts: string; readonly sentences: string } {
  const title = heading.replace(FACTS_AT_END, "").trim();
  if (title === "" || !summary.startsWith(title)) return { facts: "", sentences: summary };
  const behind = summary.slice(title.length);
  const [facts = ""] = FACTS_AT_START.exec(behind) ?? [];
  return { facts, sentences: behind.slice(facts.length).replace(/^[.:,;]?\s*/, "") };
}
