import { InvalidOptionError } from "../errors/input-errors.ts";
import { EmbedderError } from "../errors/model-errors.ts";
import { toUnitLength } from "../ports/embedder.ts";

interface BatchLimits {
  /** Texts per call. */
  readonly perCall: number;
  /** Characters per text. */
  readonly longest: number;
}

/** Default for the maximum characters per text: few models accept more than 8,000 tokens. */
export const MAX_TEXT_CHARACTERS = 8_000;

/** Calls a model: one vector per text. */
type RequestVectors = (texts: string[]) => Promise<readonly ArrayLike<number>[]>;

/** Maximum characters per call: providers also limit the tokens of a request. */
const CHARACTERS_PER_CALL = 200_000;

/**
 * Embeds any number of texts of any length. Blank texts are not sent, because models refuse them. All vectors are
 * validated. Without a number of dimensions, the first vector decides.
 */
export async function embedInBatches(
  texts: readonly string[],
  { perCall, longest }: BatchLimits,
  dimensions: number | undefined,
  ask: RequestVectors,
): Promise<Float32Array[]> {
  const vectors = new Map<number, Float32Array>();
  let length = dimensions;
  let batch: { readonly at: number; readonly text: string }[] = [];
  let characters = 0;
  const send = async () => {
    const given = await ask(batch.map(({ text }) => text));
    length ??= Array.isArray(given) ? given[0]?.length : undefined;
    const answers = checkVectors(given, batch.length, length ?? 0);
    batch.forEach(({ at }, index) => void vectors.set(at, toUnitLength(answers[index] ?? [])));
    batch = [];
    characters = 0;
  };
  for (const [at, whole] of texts.entries()) {
    // Truncation may split a surrogate pair, which is not valid text.
    const text = whole.slice(0, longest).toWellFormed();
    if (text.trim() === "") continue;
    if (batch.length === perCall || (batch.length > 0 && characters + text.length > CHARACTERS_PER_CALL)) await send();
    batch.push({ at, text });
    characters += text.length;
  }
  if (batch.length > 0) await send();
  return texts.map((_, at) => vectors.get(at) ?? new Float32Array(length ?? 0));
}

/** Validates vectors: one per text, all of the same length, only finite numbers. */
export function checkVectors(
  vectors: readonly ArrayLike<number>[],
  count: number,
  dimensions: number,
): readonly ArrayLike<number>[] {
  if (!Array.isArray(vectors) || vectors.length !== count) {
    const came = Array.isArray(vectors) ? `${vectors.length} vectors` : "no list of vectors";
    throw new EmbedderError("wrong-answer", `The embedding model returned ${came} for ${count} texts.`);
  }
  for (const vector of vectors as readonly ArrayLike<unknown>[]) {
    if (vector?.length !== dimensions) {
      throw new EmbedderError(
        "wrong-answer",
        `The embedding model returned a vector with ${vector?.length} dimensions, expected ${dimensions}.`,
      );
    }
    if (!Array.from(vector).every(Number.isFinite)) {
      throw new EmbedderError(
        "wrong-answer",
        "The embedding model returned a vector with a value that is not a finite number.",
      );
    }
  }
  return vectors;
}

/** Returns the number if it is a positive integer. */
export function atLeastOne(name: string, value: number): number {
  if (!Number.isInteger(value) || value < 1) throw new InvalidOptionError(name, value, "a whole number, 1 or more");
  return value;
}
