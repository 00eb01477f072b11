import { ThroughlineError } from "../../errors/throughline-error.ts";
import { messageOf } from "../../internal/text.ts";
import { type Embedder, WORD_EMBEDDER } from "../../ports/embedder.ts";
import type { Logger } from "../../ports/logger.ts";
import type { SearchEntry } from "../../ports/memory-store.ts";
import type { MemoryContext } from "../memory-context.ts";
import { packVector } from "../search/packed-vector.ts";

/** Loggers that already have a warning about a failing embedder. A successful call removes the logger. */
const warned = new WeakSet<Logger>();

/** Nearly every memory mentions the user, so the word does not distinguish memories. */
const USER = /\b(?:(?:the )user(?:['’]s)?|user['’]s)\b|^user\b/gi;

/**
 * Embeds texts. Returns `undefined` if the embedder fails; search then compares words only. Only the first of
 * consecutive failures is logged.
 */
export async function embed(
  { embedder, logger }: Pick<MemoryContext, "embedder" | "logger">,
  texts: readonly string[],
  use: "passage" | "query" = "passage",
): Promise<readonly Float32Array[] | undefined> {
  if (texts.length === 0) return [];
  try {
    const vectors = await embedder.embed(texts, use);
    warned.delete(logger);
    return vectors;
  } catch (error) {
    const [why, hint] = ThroughlineError.isInstance(error)
      ? [error.summary.replace(/\.$/, ""), ` ${error.hint}`]
      : [messageOf(error), ""];
    if (!warned.has(logger)) logger.warn(`Embedder ${embedder.name} failed (${why}); searching by words only.${hint}`);
    warned.add(logger);
    return undefined;
  }
}

/** An embedder that embeds each text once, so that a commit that is tried again does not embed its texts again. */
export function embedOnce(embedder: Embedder): Embedder {
  const { name, dimensions } = embedder;
  const known = new Map<string, Float32Array | undefined>();
  return {
    name,
    dimensions,
    async embed(texts, use, signal) {
      const fresh = [...new Set(texts)].filter((text) => !known.has(text));
      const vectors = fresh.length === 0 ? [] : await embedder.embed(fresh, use, signal);
      fresh.forEach((text, at) => void known.set(text, vectors[at]));
      return texts.map((text) => known.get(text) as Float32Array);
    },
    ...(embedder.rarity && { rarity: embedder.rarity.bind(embedder) }),
  };
}

/**
 * The vector of an entry. Those of the built-in embedder are means of signed bytes: one byte per component suffices.
 */
export function embedded(vector: Float32Array, { name }: Embedder): Required<Pick<SearchEntry, "embedder" | "vector">> {
  return { embedder: name, vector: packVector(vector, name !== WORD_EMBEDDER) };
}

/** A text or query without its mentions of the user, unless nothing else is left. */
export function withoutUser(text: string): string {
  const rest = text.replace(USER, "").trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}
