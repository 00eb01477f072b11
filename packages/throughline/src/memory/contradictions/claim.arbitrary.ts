import fc from "fast-check";
import type { Claim } from "./claim.ts";

const SUBJECTS = ["I", "We", "My sister", "The service", "The two new servers", "Nobody", "Ana"];
const VERBS = ["use", "have", "like", "hate", "own", "run", "need", "visited", "are near", "are far from", "never had"];
const THINGS = [
  "a dog",
  "two cats",
  "three cats",
  "coffee",
  "the old port",
  "port 8080",
  "$30",
  "Redis or Kafka",
  "any pets",
];
const ENDS = ["", " in Berlin", " on Monday", " without a hat", ", just tea", " but I want to", " every day", "?"];

/** Text that says something of the sort that memories say. */
const sentence = fc
  .tuple(
    fc.constantFrom(...SUBJECTS),
    fc.constantFrom("", "do not ", "can't ", "no longer ", "used to "),
    fc.constantFrom(...VERBS),
    fc.constantFrom(...THINGS),
    fc.constantFrom(...ENDS),
  )
  .map(([subject, denial, verb, thing, end]) => `${subject} ${denial}${verb} ${thing}${end}`);

/** One sentence or several, or anything at all. */
export const claimText = fc.oneof(
  sentence,
  fc.array(sentence, { minLength: 1, maxLength: 4 }).map((sentences) => sentences.join(". ")),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);

const time = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });

/** A claim with or without a slot and a time. */
export const claim: fc.Arbitrary<Claim> = fc
  .record({
    text: claimText,
    key: fc.option(fc.constantFrom("db", "Primary DB", "primary_db"), { nil: undefined }),
    value: fc.option(fc.constantFrom("Postgres", "PostgreSQL 16", "MySQL", "not MySQL", ""), { nil: undefined }),
    subject: fc.option(fc.constantFrom("user", "Ana"), { nil: undefined }),
    validFrom: time,
    validTo: time,
  })
  .map(
    (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as Claim,
  );
