import { EmbedderError } from "../errors/embedder-error.ts";
import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import { toUnitLength } from "./to-unit-length.ts";

/** What a model takes at once. */
interface BatchLimits {
  /** Texts to a call. */
  readonly perCall: number;
  /** Characters of a text. */
  readonly longest: number;
}

/** Characters of a text that are read where nothing else is said: few models take more than 8,000 tokens. */
export const LONGEST = 8_000;

/** A model behind an embedder: one vector for each text. */
type AskForVectors = (texts: string[]) => Promise<readonly ArrayLike<number>[]>;

/** Characters to a call: providers limit the tokens of a request as well. */
const CHARACTERS_PER_CALL = 200_000;

/**
 * Vectors of any number of texts of any length. Blank texts are not sent, since models refuse them, and what comes back
 * is checked before anybody stores it.
 */
export async function embedInBatches(
  texts: readonly string[],
  { perCall, longest }: BatchLimits,
  dimensions: number,
  ask: AskForVectors,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions));
  let batch: { readonly at: number; readonly text: string }[] = [];
  let characters = 0;
  const send = async () => {
    const answers = checkVectors(await ask(batch.map(({ text }) => text)), batch.length, dimensions);
    batch.forEach(({ at }, index) => {
      vectors[at] = toUnitLength(answers[index] ?? []);
    });
    batch = [];
    characters = 0;
  };
  for (const [at, whole] of texts.entries()) {
    // A cut may go through a character of two halves, and half a character is not text.
    const text = whole.slice(0, longest).toWellFormed();
    if (text.trim() === "") continue;
    if (batch.length === perCall || (batch.length > 0 && characters + text.length > CHARACTERS_PER_CALL)) await send();
    batch.push({ at, text });
    characters += text.length;
  }
  if (batch.length > 0) await send();
  return vectors;
}

/** One vector for each text and all of one length, with nothing but numbers: anything else is refused, not stored. */
export function checkVectors(
  vectors: readonly ArrayLike<number>[],
  count: number,
  dimensions: number,
): readonly ArrayLike<number>[] {
  if (!Array.isArray(vectors) || vectors.length !== count) {
    const came = Array.isArray(vectors) ? `${vectors.length} vectors` : "no list of vectors";
    throw new EmbedderError("wrong-answer", `The model gave ${came} for ${count} texts.`);
  }
  for (const vector of vectors as readonly ArrayLike<unknown>[]) {
    if (vector?.length !== dimensions) {
      throw new EmbedderError(
        "wrong-answer",
        `The model gave a vector of ${vector?.length} numbers, not ${dimensions}.`,
      );
    }
    if (!Array.from(vector).every(Number.isFinite)) {
      throw new EmbedderError("wrong-answer", "The model gave a vector with something in it that is no number.");
    }
  }
  return vectors;
}

/** The number itself, where it can be meant. */
export function atLeastOne(name: string, value: number): number {
  if (!Number.isInteger(value) || value < 1) throw new InvalidOptionError(name, value, "a whole number of at least 1");
  return value;
}
