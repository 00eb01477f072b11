import type { Searchable } from "../../../packages/throughline/src/memory/search/search-entry.ts";

const SYLLABLES =
  "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu".split(
    " ",
  );
const SPEAKERS = ["Ann", "Ben", "Cleo", "Dan"];
const VOCABULARY = 60_000;
const SESSION_LENGTH = 40;
const MEAN_WORDS = 18;
const START = Date.UTC(2023, 0, 1);
const MINUTE = 60_000;

/** A seeded random generator between 0 and 1. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A word by its rank; frequent ones are short. */
function word(rank: number): string {
  const digits: string[] = [];
  for (let left = rank + 1; left > 0; left = Math.floor(left / SYLLABLES.length)) {
    digits.push(SYLLABLES[left % SYLLABLES.length] ?? "");
  }
  return `${digits.join("")}x`;
}

/** Word ranks by Zipf's law. */
function zipf(draw: () => number): number {
  return Math.min(VOCABULARY - 1, Math.floor(Math.exp(draw() * Math.log(VOCABULARY)) - 1));
}

/** A text about a topic: each topic has its own rare words besides common ones. */
function text(draw: () => number, topic: number): string {
  const length = 4 + Math.floor(-Math.log(1 - draw()) * MEAN_WORDS);
  const words = Array.from({ length }, () =>
    draw() < 0.25 ? word(500 + ((topic * 97 + Math.floor(draw() * 40)) % (VOCABULARY - 500))) : word(zipf(draw)),
  );
  return words.join(" ");
}

/** An endless sequence of session turns, with memories among them. */
export function* makeEntries(seed: number): Generator<Searchable, never> {
  const draw = generator(seed);
  for (let at = 0; ; at += 1) {
    const session = Math.floor(at / SESSION_LENGTH);
    const said = START + at * MINUTE;
    const shared = { id: `e${at}`, text: text(draw, session % 3_000), at: said };
    // One in eight is a memory.
    yield at % 8 === 7
      ? { ...shared, type: "memory", kind: "fact", validFrom: said }
      : {
          ...shared,
          type: "turn",
          sessionId: `s${session}`,
          position: at % SESSION_LENGTH,
          role: "user",
          speaker: SPEAKERS[(session + at) % SPEAKERS.length] ?? "Ann",
        };
  }
}

/** Questions with a few words of a topic and some common ones. */
export function makeQuestions(seed: number, count: number): string[] {
  const draw = generator(seed);
  return Array.from({ length: count }, () => {
    const topic = Math.floor(draw() * 3_000);
    const words = Array.from({ length: 5 }, (_, at) =>
      at < 3 ? word(500 + ((topic * 97 + Math.floor(draw() * 40)) % (VOCABULARY - 500))) : word(40 + zipf(draw)),
    );
    return `${words.join(" ")}?`;
  });
}

/** A vector around one of a few hundred centers. */
export function makeVector(draw: () => number, dimensions: number, centers: readonly Float32Array[]): Float32Array {
  const center = centers[Math.floor(draw() * centers.length)];
  const vector = Float32Array.from({ length: dimensions }, (_, at) => (center?.[at] ?? 0) + 2 * (draw() - 0.5));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
