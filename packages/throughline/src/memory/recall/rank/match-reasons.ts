import type { Memory, Turn } from "../../../ports/memory.ts";
import type { Candidate, Candidates } from "../search.ts";
import { aboveUsual } from "./cut-features.ts";

const MAX_WORDS = 3;
/** A text is close in meaning if its cosine is this far above the usual one, or by this many deviations. */
const CLOSE_COSINE = 0.5;
const CLOSE_DEVIATIONS = 2.5;
/** Share of the question's words that must be next to the hit and not in it. */
const NEAR_COVER = 0.15;

/** Why a hit was found, in short phrases. */
export function matchReasons(
  hit: { readonly candidate: Candidate; readonly memory?: Memory; readonly turn?: Turn },
  { person, usualCosine }: Pick<Candidates, "person" | "usualCosine">,
): readonly string[] {
  const { candidate, memory, turn } = hit;
  const { matched, cover, ownCover, meaning, cosine, date } = candidate.parts;
  const at = memory?.source.at ?? turn?.at;
  const isClose = aboveUsual(cosine, usualCosine) >= CLOSE_COSINE || (meaning >= CLOSE_DEVIATIONS && cosine > 0);
  return [
    matched.length > 0 &&
      `matches ${matched
        .slice(0, MAX_WORDS)
        .map((word) => `“${word}”`)
        .join(", ")}`,
    cover - ownCover >= NEAR_COVER && "next to a match",
    isClose && "close in meaning",
    candidate.parts.person > 0 && person !== undefined && personReason(person, turn),
    date > 0 && at !== undefined && `said on ${new Date(at).toISOString().slice(0, 10)}`,
    memory?.pinned === true && "pinned",
    (memory?.usage.cited ?? 0) > 0 && "used before",
  ].filter((reason) => typeof reason === "string");
}

function personReason(person: NonNullable<Candidates["person"]>, turn: Turn | undefined): string {
  const name = person === "user" ? "the user" : person.name;
  return turn === undefined ? `about ${name}` : `said by ${name}`;
}
