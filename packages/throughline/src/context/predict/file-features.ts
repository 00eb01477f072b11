import { type Candidate, FADING, type PredictionInput } from "./gather-candidates.ts";
import { isSpecific, type PathParts, readPath, sharedFolders } from "./naming-habits.ts";
import type { UseIndex } from "./use-index.ts";

const PLAIN = [
  // Constant: base rate of a file's use.
  "always",
  // Share of the anchors' uses that contain the file, and their number.
  "together",
  "times",
  // Uses right after an anchor in a session.
  "next",
  // Share of the uses of the anchor's folder, and of a parent folder.
  "folder",
  "above",
  // Share of the uses of files with similar paths.
  "kin",
  // Share of the newest uses, share of all uses, and age of the last use.
  "recent",
  "popular",
  "age",
  // Share of the uses with the same signals, such as branch or error.
  "signal",
  // Same folder as the anchor or as earlier files, and distance in folders.
  "sameFolder",
  "nearFolder",
  "distance",
  // Companion of the anchor or of an earlier file, such as login.ts and login.test.ts.
  "companion",
  "companionOfEarlier",
  // Share of file pairs with this relation of names and folders that change together in the project.
  "habit",
  // Common words of the paths, weighted by rarity, and the rarest one.
  "likePath",
  "rareWord",
  "likeEarlier",
  "sameExtension",
  "sameName",
  // Highest share of another file in the same folder.
  "folderOfPartner",
  // Share of the branch's words in the path.
  "likeWork",
  // The file was never used.
  "unused",
  // Mentions in the session: any, count, distance, without a folder, and of a file that was never used.
  "mentioned",
  "mentions",
  "mentionAge",
  "mentionedBare",
  "mentionedUnused",
  // The session mentions other files, not this one.
  "unmentioned",
  // The anchor imports it.
  "imported",
] as const;
/** Features with other weights if the anchor was never used before. */
const FOR_NEW = ["always", "folder", "above", "age", "habit", "likePath", "rareWord", "kin"] as const;
/** Features with other weights in a session, which predicts the next file instead of the rest of a commit. */
const FOR_SESSION = ["always", "times", "folder", "recent", "age", "sameFolder", "distance"] as const;
type Plain = (typeof PLAIN)[number];
export type Feature = Plain | `new-${(typeof FOR_NEW)[number]}` | `session-${(typeof FOR_SESSION)[number]}`;
/** Features of a file, in the order of the weights. */
export const FEATURES: readonly Feature[] = [
  ...PLAIN,
  ...FOR_NEW.map((name) => `new-${name}` as const),
  ...FOR_SESSION.map((name) => `session-${name}` as const),
];
const AT = Object.fromEntries(PLAIN.map((name, at) => [name, at])) as Readonly<Record<Plain, number>>;
const NEW_AT = FOR_NEW.map((name) => AT[name]);
const SESSION_AT = FOR_SESSION.map((name) => AT[name]);

const MAX_EARLIER = 8;
const MAX_DISTANCE = 8;

/** Logarithm of a share, shifted: 0 for none, about 6 for all. */
function evidence(share: number): number {
  return Math.log(share + 0.002) - Math.log(0.002);
}

/** Computes the features of candidates for one input. */
export class FeatureReader {
  readonly #index: UseIndex;
  readonly #input: PredictionInput;
  readonly #anchor: PathParts | undefined;
  readonly #earlier: readonly PathParts[];
  readonly #words: ReadonlyMap<string, number>;
  readonly #allWords: number;
  readonly #earlierWords: ReadonlySet<string>;
  readonly #partners: ReadonlyMap<string, number>;
  /** Novelty of the anchor: 1 if it was never used. */
  readonly #isNew: number;

  constructor(index: UseIndex, input: PredictionInput, candidates: readonly Candidate[]) {
    const [anchor, ...earlier] = input.anchors.slice(0, MAX_EARLIER + 1).map((path) => readPath(path));
    this.#index = index;
    this.#input = input;
    this.#anchor = anchor;
    this.#earlier = earlier;
    this.#words = new Map(anchor?.words.map((word) => [word, index.rarity(word)]));
    this.#allWords = [...this.#words.values()].reduce((sum, rarity) => sum + rarity, 0);
    this.#earlierWords = new Set(earlier.flatMap(({ words }) => words));
    this.#partners = strongestByFolder(index, candidates);
    const uses = anchor === undefined ? 0 : index.usesOf(index.idOf(anchor.path) ?? -1).length;
    this.#isNew = anchor === undefined || uses >= 3 ? 0 : uses === 0 ? 1 : 0.4;
  }

  read(candidate: Candidate): Float64Array {
    const features = new Float64Array(FEATURES.length);
    const file = this.#index.files[candidate.id] ?? readPath(candidate.path);
    this.#readUses(features, candidate);
    this.#readPlace(features, file);
    this.#readNames(features, file);
    this.#readMention(features, candidate.path);
    features[AT.always] = 1;
    features[AT.folderOfPartner] = evidence(this.#partners.get(file.folder) ?? 0);
    features[AT.imported] = this.#input.imports.has(candidate.path) ? 1 : 0;
    double(features, NEW_AT, PLAIN.length, this.#isNew);
    double(features, SESSION_AT, PLAIN.length + NEW_AT.length, this.#input.inSession ? 1 : 0);
    return features;
  }

  #readUses(features: Float64Array, candidate: Candidate): void {
    const { baskets } = this.#index;
    const uses = this.#index.usesOf(candidate.id);
    const last = uses.at(-1);
    features[AT.together] = evidence(candidate.together);
    features[AT.times] = Math.log(1 + candidate.times);
    features[AT.next] = Math.log(1 + candidate.next);
    features[AT.folder] = evidence(candidate.folder);
    features[AT.above] = evidence(candidate.above);
    features[AT.kin] = evidence(candidate.kin);
    features[AT.recent] = evidence(candidate.recent);
    features[AT.signal] = evidence(candidate.signal);
    features[AT.popular] = evidence(uses.length / (baskets.length + 20));
    features[AT.unused] = last === undefined ? 1 : 0;
    if (last === undefined) return;
    features[AT.age] = -Math.log(baskets.length - last) / 4;
  }

  #readPlace(features: Float64Array, file: PathParts): void {
    let [near, all] = [0, 0];
    this.#earlier.forEach(({ folder }, at) => {
      const weight = FADING ** at;
      all += weight;
      if (folder === file.folder) near += weight;
    });
    features[AT.nearFolder] = all === 0 ? 0 : near / all;
    const anchor = this.#anchor;
    if (anchor === undefined) return;
    const between = anchor.folders.length + file.folders.length - 2 * sharedFolders(anchor, file);
    features[AT.sameFolder] = anchor.folder === file.folder ? 1 : 0;
    features[AT.distance] = 1 - Math.min(MAX_DISTANCE, between) / MAX_DISTANCE;
    features[AT.habit] = evidence(this.#index.habits.strength(anchor, file));
    features[AT.sameName] = anchor.name === file.name ? 1 : 0;
    features[AT.sameExtension] = anchor.extension === file.extension ? 1 : 0;
  }

  #readNames(features: Float64Array, file: PathParts): void {
    const isNameSpecific = isSpecific(file.core);
    features[AT.companion] = isNameSpecific && this.#anchor?.core === file.core ? 1 : 0;
    features[AT.companionOfEarlier] = isNameSpecific && this.#earlier.some(({ core }) => core === file.core) ? 1 : 0;
    let [shared, all, rarest, earlier] = [0, 0, 0, 0];
    for (const word of file.words) {
      const rarity = this.#words.get(word);
      if (this.#earlierWords.has(word)) earlier += 1;
      all += rarity ?? this.#index.rarity(word);
      if (rarity === undefined) continue;
      shared += rarity;
      rarest = Math.max(rarest, rarity);
    }
    features[AT.likePath] = shared / (Math.sqrt(this.#allWords * all) + 1);
    features[AT.rareWord] = rarest / 8;
    features[AT.likeEarlier] = earlier / Math.max(1, file.words.length);
    const { words } = this.#input;
    if (words.length > 0)
      features[AT.likeWork] = words.filter((word) => file.words.includes(word)).length / words.length;
  }

  #readMention(features: Float64Array, path: string): void {
    const mention = this.#input.mentions.get(path);
    if (mention === undefined) {
      features[AT.unmentioned] = this.#input.mentions.size > 0 ? 1 : 0;
      return;
    }
    features[AT.mentioned] = 1;
    features[AT.mentions] = Math.log(1 + mention.times);
    features[AT.mentionAge] = -Math.log(1 + mention.distance / 200);
    features[AT.mentionedBare] = mention.isBare ? 1 : 0;
    features[AT.mentionedUnused] = features[AT.unused] ?? 0;
  }
}

/** Copies features to their second position, scaled by a condition. */
function double(features: Float64Array, from: readonly number[], to: number, factor: number): void {
  if (factor === 0) return;
  for (let at = 0; at < from.length; at += 1) features[to + at] = factor * (features[from[at] ?? 0] ?? 0);
}

/** Highest `together` of the candidates in each folder. */
function strongestByFolder(index: UseIndex, candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const strongest = new Map<string, number>();
  for (const { id, together } of candidates) {
    const folder = index.files[id]?.folder;
    if (together === 0 || folder === undefined) continue;
    strongest.set(folder, Math.max(strongest.get(folder) ?? 0, together));
  }
  return strongest;
}
