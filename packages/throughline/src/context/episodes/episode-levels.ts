import { redactSecrets } from "../../internal/find-secrets.ts";
import { slug } from "../../memory/levels/shorten-words.ts";
import type { MemoryLevels } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { specificWordsOf } from "./subject-words.ts";

/** Content of an episode. */
interface EpisodeContent {
  readonly title: string;
  /** Milliseconds since 1970. 0 if unknown. */
  readonly at: number;
  /** Id of the last commit. */
  readonly commit?: string | undefined;
  readonly state: "done" | "answered" | "partly" | "open";
  /** The text below the first line. */
  readonly body: string;
  /** Sentences for the summary, the most important first. */
  readonly sentences: readonly string[];
}

const SUMMARY_TOKENS = 70;
const INDEX_WORDS = 4;
const UNFINISHED = { partly: "partly done", open: "not done" } as const;

/** The text of an episode at four levels. Each of them has the title; all but the index have date and commit. */
export function episodeLevels(content: EpisodeContent): MemoryLevels {
  const { title, at, commit, state, body, sentences } = content;
  const date = at > 0 ? new Date(at).toISOString().slice(0, 10) : undefined;
  const isLeft = state === "partly" || state === "open";
  const facts = [date, commit, isLeft ? UNFINISHED[state] : undefined].filter((fact) => fact !== undefined);
  const heading = facts.length === 0 ? title : `${title} (${facts.join(", ")})`;
  let summary = `${heading}.`;
  for (const sentence of sentences) {
    const longer = `${summary} ${sentence}`;
    if (countTokens(longer) <= SUMMARY_TOKENS) summary = longer;
  }
  const words = specificWordsOf(title);
  return {
    full: redactSecrets(`${date === undefined ? title : `${title} (${date})`}\n${body}`),
    summary: redactSecrets(summary),
    compressed: redactSecrets(heading),
    index: slug(words.length === 0 ? title : words.join(" "), INDEX_WORDS) || "session",
  };
}
