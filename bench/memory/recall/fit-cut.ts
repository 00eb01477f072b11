import { type CutFeatures, featureReader } from "../../../packages/throughline/src/memory/recall/cut-model.ts";
import { printTable } from "../../print-table.ts";
import type { AskedQuestion, Conversation, SaidTurn } from "./conversation.ts";
import { type Asked, askQuestion, indexConversation, search } from "./throughline-ranker.ts";

interface Space {
  readonly conversation: Conversation;
  readonly asked: Asked;
}

interface Example {
  readonly features: CutFeatures;
  readonly fits: number;
  readonly weight: number;
}

const FEATURES: readonly (keyof CutFeatures)[] = ["cover", "cosine", "knownPerson", "unknownNames", "absent"];
/** Sizes of small stores. */
const SMALL_SIZES = [1, 4, 12, 40];
const LOOKED_AT = 5;
const FIRST = 10;

/**
 * Fits the cut-off model and prints its parameters: features of the best hits, for answered questions (one of the first
 * ten is evidence) and for questions of other conversations, in whole conversations and in small samples of them, with
 * the evidence and without. All groups have the same weight.
 */
export async function fitCut(spaces: readonly Space[]): Promise<void> {
  const draw = generator(7);
  const groups = new Map<string, { features: CutFeatures; fits: number }[]>();
  const add = async (group: string, fits: number, asked: Asked, { text, evidence }: AskedQuestion): Promise<void> => {
    const question = await askQuestion({ text }, asked);
    const found = search(asked, question, FIRST);
    // Missed evidence is no example, because it looks the same as missing evidence.
    if (fits === 1 && !found.candidates.some(({ id }) => evidence.includes(id))) return;
    const each = found.candidates.slice(0, LOOKED_AT).map(featureReader(found, question));
    const features = each.reduce((best, one) => ({
      ...one,
      cover: Math.max(best.cover, one.cover),
      cosine: Math.max(best.cosine, one.cosine),
    }));
    groups.set(group, [...(groups.get(group) ?? []), { features, fits }]);
  };
  for (const space of spaces) {
    const kind = kindOf(space);
    for (const question of space.conversation.questions) {
      if (!question.isAnswerable || question.evidence.length === 0) continue;
      await add(`${kind}, own`, 1, space.asked, question);
      const others = spaces.filter((other) => other !== space && kindOf(other) === kind);
      const other = others[Math.floor(draw() * others.length)];
      if (other !== undefined) await add(`${kind}, foreign`, 0, other.asked, question);
      const size = SMALL_SIZES[Math.floor(draw() * SMALL_SIZES.length)] ?? 1;
      const [withIt, without] = smallStores(space.conversation, question, size, draw);
      await add(`${kind}, small`, 1, await indexConversation({ turns: withIt }), question);
      await add(`${kind}, small without`, 0, await indexConversation({ turns: without }), question);
    }
  }
  const examples = [...groups.values()].flatMap((group) =>
    group.map((example): Example => ({ ...example, weight: 1 / group.length / groups.size })),
  );
  const { weights, bias } = fit(examples);
  printTable(
    ["feature", "weight"],
    [...FEATURES.map((name, at) => [name, (weights[at] ?? 0).toFixed(2)]), ["bias", bias.toFixed(2)]],
  );
  console.log("");
}

/** A conversation between people, or with an assistant. */
function kindOf({ conversation }: Space): "people" | "assistant" {
  return conversation.turns.some(({ speaker }) => speaker !== undefined) ? "people" : "assistant";
}

/** A store of this many turns with one evidence turn, and one without it. Turns have no neighbors, like memories. */
function smallStores(
  { turns }: Conversation,
  { evidence }: AskedQuestion,
  size: number,
  draw: () => number,
): readonly [SaidTurn[], SaidTurn[]] {
  const others = turns.filter(({ id }) => !evidence.includes(id));
  const drawn = Array.from({ length: size }, () => others[Math.floor(draw() * others.length)]);
  const first = turns.filter(({ id }) => evidence.includes(id)).slice(0, 1);
  const alone = (some: readonly (SaidTurn | undefined)[]): SaidTurn[] =>
    some.filter((turn) => turn !== undefined).map((turn) => ({ ...turn, sessionId: `${turn.sessionId} ${turn.id}` }));
  return [alone([...first, ...drawn.slice(1)]), alone(drawn)];
}

const STEPS = 1_500;

const RATE = 1;

const DECAY = 0.002;

/** Logistic regression by gradient descent, on normalized features. */
function fit(examples: readonly Example[]): { weights: number[]; bias: number } {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (of: (example: Example) => number): number =>
    examples.reduce((sum, example) => sum + example.weight * of(example), 0) / total;
  const means = FEATURES.map((name) => mean(({ features }) => features[name]));
  const spreads = FEATURES.map((name, at) =>
    Math.sqrt(
      Math.max(
        1e-9,
        mean(({ features }) => (features[name] - (means[at] ?? 0)) ** 2),
      ),
    ),
  );
  const rows = examples.map(({ features }) =>
    FEATURES.map((name, at) => (features[name] - (means[at] ?? 0)) / (spreads[at] ?? 1)),
  );
  const weights = FEATURES.map(() => 0);
  let bias = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const slopes = FEATURES.map((_, at) => DECAY * (weights[at] ?? 0));
    let slope = 0;
    rows.forEach((row, example) => {
      const { fits, weight } = examples[example] as Example;
      const sum = row.reduce((product, value, at) => product + value * (weights[at] ?? 0), bias);
      const error = (weight / total) * (1 / (1 + Math.exp(-sum)) - fits);
      slope += error;
      row.forEach((value, at) => {
        slopes[at] = (slopes[at] ?? 0) + error * value;
      });
    });
    bias -= RATE * slope;
    slopes.forEach((one, at) => {
      weights[at] = (weights[at] ?? 0) - RATE * one;
    });
  }
  const plain = weights.map((weight, at) => weight / (spreads[at] ?? 1));
  return { weights: plain, bias: bias - plain.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0) };
}

/** A seeded random generator between 0 and 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
