import type { Memory, Turn } from "../../../ports/memory.ts";
import type { Candidate, Candidates } from "../search.ts";
import { aboveUsual } from "./cut-features.ts";

const MAX_WORDS = 3;
/** How far its cosine lies above the usual, or by how many deviations, from which a text is close in meaning. */
const CLOSE_COSINE = 0.5;
const CLOSE_DEVIATIONS = 2.5;
/** From which share of the question more that stands near than in the hit itself. */
const NEAR_COVER = 0.15;

/** Why a hit is there, in short phrases. */
export function tellReasons(
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
    candidate.parts.person > 0 && person !== undefined && tellPerson(person, turn),
    date > 0 && at !== undefined && `said on ${new Date(at).toISOString().slice(0, 10)}`,
    memory?.pinned === true && "pinned",
    (memory?.usage.cited ?? 0) > 0 && "was of use before",
  ].filter((reason) => typeof reason === "string");
}

function tellPerson(person: NonNullable<Candidates["person"]>, turn: Turn | undefined): string {
  const name = person === "user" ? "the user" : person.name;
  return turn === undefined ? `about ${name}` : `said by ${name}`;
}
