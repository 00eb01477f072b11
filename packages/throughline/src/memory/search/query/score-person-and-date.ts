import type { TimeSpan } from "../../../language/dates.ts";
import { readTerms } from "../../../language/terms.ts";
import { UNKNOWN } from "../index/name-table.ts";
import type { SearchIndex } from "../search-index.ts";
import type { Person } from "./read-question.ts";

/** Events are often mentioned some days later. */
const TOLD_WITHIN = 7 * 86_400_000;
const TOLD_LATER = 0.5;
/** A date in full is also found by its words. */
const WRITTEN_OUT = 0.3;

/** A test of whether a document is by the person that the query is about, or is a memory that names this person. */
export function personTest(
  index: SearchIndex,
  person: Person | undefined,
): ((document: number) => boolean) | undefined {
  if (person === undefined) return undefined;
  return person === "user" ? userTest(index) : speakerTest(index, person.name);
}

function userTest({ documents }: SearchIndex): (document: number) => boolean {
  const role = documents.roles.find("user");
  return (document) => {
    // "How do I …?" in a project is about the work, which the assistant describes as well as the user.
    const isWork = documents.isTurn(document) && documents.hasProject(document);
    if (!isWork && documents.role(document) === role) return true;
    // Facts without a speaker belong to the user.
    return documents.isFact(document) && documents.speaker(document) < 0;
  };
}

function speakerTest({ documents, postings }: SearchIndex, name: string): (document: number) => boolean {
  const speaker = documents.speakers.find(name);
  const terms = readTerms(name)
    .map(({ hash }) => postings.number(hash))
    .filter((term) => term >= 0);
  return (document) =>
    (speaker !== UNKNOWN && documents.speaker(document) === speaker) ||
    (!documents.isTurn(document) && terms.some((term) => postings.place(document, term) >= 0));
}

/** Match of a document's date with the times that a query names: 0 to 1. */
export function scoreDate(at: number, spans: readonly TimeSpan[]): number {
  let best = 0;
  for (const { from, to, isRelative = false } of spans) {
    if (!(at >= from && at < to + TOLD_WITHIN)) continue;
    best = Math.max(best, (at < to ? 1 : TOLD_LATER) * (isRelative ? 1 : WRITTEN_OUT));
  }
  return best;
}
