import type { TimeSpan } from "../../../language/dates.ts";
import { readTerms } from "../../../language/terms.ts";
import type { View } from "../index/view.ts";
import type { Person } from "./read-question.ts";

/** Events are often mentioned some days later. */
const TOLD_WITHIN = 7 * 86_400_000;
const TOLD_LATER = 0.5;
/** A date in full is also found by its words. */
const WRITTEN_OUT = 0.3;

/** 1 for each document by the person that the query is about, and for each memory that names this person. */
export function scorePerson({ index, visible }: View, person: Person | undefined): Uint8Array | undefined {
  if (person === undefined) return undefined;
  const { documents, postings } = index;
  const scores = new Uint8Array(visible.length);
  const role = person === "user" ? documents.roles.find("user") : -2;
  const speaker = person === "user" ? -2 : documents.speakers.find(person.name);
  for (let document = 0; document < visible.length; document += 1) {
    // "How do I …?" in a project is about the work, which the assistant describes as well as the user.
    const isWork = person === "user" && documents.isTurn(document) && documents.hasProject(document);
    const isTheirs = !isWork && (documents.role(document) === role || documents.speaker(document) === speaker);
    // Facts without a speaker belong to the user.
    const isUsers = person === "user" && documents.isFact(document) && documents.speaker(document) < 0;
    if (isTheirs || isUsers) scores[document] = 1;
  }
  if (person === "user") return scores;
  for (const { hash } of readTerms(person.name)) {
    for (const document of postings.find(hash).documents) if (!documents.isTurn(document)) scores[document] = 1;
  }
  return scores;
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
