import { fileName } from "../../file-paths.ts";
import { describeSignal } from "../signals/read-signal.ts";
import { FEATURES, type Feature } from "./features.ts";
import type { PredictionInput } from "./prediction-input.ts";
import type { RankedFile } from "./rank-files.ts";
import { weightOf } from "./weights.ts";

/** Minimum share of the odds for a reason. */
const MIN = 0.3;
const MAX_REASONS = 3;

type Reason =
  | "used"
  | "next"
  | "around"
  | "kin"
  | "lately"
  | "signal"
  | "near"
  | "named"
  | "alike"
  | "shown"
  | "imported"
  | "work";

const REASONS: Readonly<Partial<Record<Feature, Reason>>> = {
  together: "used",
  times: "used",
  next: "next",
  folder: "around",
  above: "around",
  folderOfPartner: "around",
  kin: "kin",
  recent: "lately",
  age: "lately",
  popular: "lately",
  signal: "signal",
  sameFolder: "near",
  nearFolder: "near",
  distance: "near",
  companion: "named",
  companionOfEarlier: "named",
  habit: "named",
  sameName: "named",
  likePath: "alike",
  likeEarlier: "alike",
  rareWord: "alike",
  mentioned: "shown",
  mentions: "shown",
  imported: "imported",
  likeWork: "work",
};

/** The strongest reasons for a predicted file, in short phrases. */
export function predictionReasons({ features, path }: RankedFile, input: PredictionInput): readonly string[] {
  const odds = new Map<Reason, number>();
  FEATURES.forEach((name, at) => {
    const reason = REASONS[name.replace(/^(?:new|session)-/, "") as Feature];
    const part = weightOf(name) * (features[at] ?? 0);
    if (reason !== undefined) odds.set(reason, (odds.get(reason) ?? 0) + part);
  });
  return [...odds]
    .filter(([, part]) => part >= MIN)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_REASONS)
    .map(([reason]) => (reason === "signal" ? textOfSignals(path, input) : textOf(reason, nameOf(input))));
}

function nameOf({ anchors: [opened] }: PredictionInput): string {
  return opened === undefined ? "recent files" : fileName(opened);
}

/** The signals that a file was used with before. */
function textOfSignals(path: string, { signals, ledTo = [] }: PredictionInput): string {
  if (ledTo.some((files) => files.includes(path))) return "changed after the same error before";
  return `used ${signals.map(describeSignal).join(", ")} before`;
}

function textOf(reason: Exclude<Reason, "signal">, opened: string): string {
  switch (reason) {
    case "used":
      return `used together with ${opened}`;
    case "next":
      return `came next after ${opened}`;
    case "around":
      return `used with what lies around ${opened}`;
    case "kin":
      return `used with files named like ${opened}`;
    case "lately":
      return "used lately";
    case "near":
      return `near ${opened}`;
    case "named":
      return `named for the same as ${opened}`;
    case "alike":
      return `its path has words of ${opened}`;
    case "shown":
      return "named in the session";
    case "imported":
      return `imported by ${opened}`;
    case "work":
      return "its path has words of the branch";
  }
}
