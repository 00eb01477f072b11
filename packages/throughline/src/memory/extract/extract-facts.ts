import { findSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { hasChangeMarker } from "../../language/change-markers.ts";
import { splitClauses } from "../../language/clauses.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { EXTRACTED_CONFIDENCE } from "../facts/fact-rules.ts";
import { normalizeFact } from "../facts/normalize-fact.ts";
import { readSlot } from "../facts/read-slot.ts";
import { normalizeKey } from "../facts/slot-keys.ts";
import { blankForeign } from "./blank-foreign.ts";
import type { ExtractedFact, ExtractTurn } from "./extract-turn.ts";
import { isAddressed } from "./is-addressed.ts";
import { isStated, MAX_SENTENCE_LENGTH, PretenceWatch, stripLead } from "./is-stated.ts";
import { judgeStatement } from "./judge-statement.ts";
import { readInstruction } from "./read-instruction.ts";
import { readPossessive } from "./read-possessive.ts";
import { readProject } from "./read-project.ts";
import { readStatement } from "./read-statement.ts";
import { agreeAfterAnd, swapPerson, tellStatement } from "./third-person.ts";
import { trimObject } from "./trim-object.ts";

/** Options of `extractFacts`. */
export interface ExtractOptions {
  /** Roles whose messages are read. Default: `["user"]`. */
  readonly roles?: readonly string[];
  /** Keeps facts that contain API keys, passwords or card numbers. Default: false. */
  readonly keepSecrets?: boolean;
}

/** What one clause says: a sentence about the user, one of theirs, or the project. */
interface Found {
  readonly text: string;
  readonly category: FactCategory;
  readonly subject: string;
  readonly key?: string;
  readonly value?: string;
}

/** The roles that people have. */
export const PEOPLE: readonly string[] = ["user"];
const TAKES_BACK =
  /^(?:(?:well|oh|hmm|sorry|but),? )*(?:actually,? no\b|no,? wait|wait,? no|scratch that|never ?mind|on second thought|unless\b|only kidding|just kidding)/i;
const WITH_ME = /^my (?:[\p{L}'-]+ ){1,3}and i /iu;

/**
 * Extracts the facts that people state about themselves and their work, by rules and without a model. The rules read
 * English. Questions, guesses, quotes, hypothetical or retracted statements, and synthetic text give no facts.
 *
 * @param turns Messages, in order.
 * @param options Roles to read (default `["user"]`), and whether to keep facts with API keys, passwords or card numbers
 *   (default false).
 * @returns Each fact once, with the quote and the message of its last mention.
 *
 * @example
 * extractFacts([{ id: "m1", role: "user", text: "Hi! I live in Lisbon." }])[0]?.text; // "User lives in Lisbon"
 */
export function extractFacts(turns: readonly ExtractTurn[], options: ExtractOptions = {}): ExtractedFact[] {
  const { roles = PEOPLE, keepSecrets = false } = options;
  const watch = new PretenceWatch();
  const facts = new Map<string, ExtractedFact>();
  for (const turn of turns.filter(({ role }) => roles.includes(role))) {
    for (const fact of factsOf(turn, watch)) {
      if (!keepSecrets && findSecrets(fact.source.quote ?? "").length > 0) continue;
      // Said again, it stands where it was said last.
      facts.set(`${fact.subject}\n${normalizeFact(fact.text)}`, fact);
    }
  }
  return [...facts.values()];
}

/** What one turn states, in the order in which it does. */
function factsOf(turn: ExtractTurn, watch: PretenceWatch): readonly ExtractedFact[] {
  const { said, own } = blankForeign(turn);
  if (!watch.isEarnest(own)) return [];
  const isSuspect = isAddressed(own);
  const facts: ExtractedFact[] = [];
  for (const clause of splitClauses(own, { maxSentenceLength: MAX_SENTENCE_LENGTH })) {
    // What is taken back in the same breath was never meant.
    if (TAKES_BACK.test(clause.text)) facts.pop();
    if (!isStated(clause)) continue;
    const asked = isSuspect ? undefined : readRequest(clause.text);
    const found = asked ?? readClause(stripLead(clause.text));
    const quote = said.slice(clause.start, clause.start + clause.text.length);
    if (found !== undefined) facts.push(toFact(found, turn, quote));
  }
  return facts;
}

/** What somebody asks to be remembered, as they say it. */
const REMEMBER =
  /^(?:and |also |please,? |so )*(?:remember|keep in mind|bear in mind|don't forget|for the record)(?: that|:|,) (?<what>(?!(?:time|day|one|night|when|how|what)\b).+)$/i;
/** What only the conversation explains, and what nobody says of themselves. */
const POINTS = /^(?:this|that|these|those|it|he|she|they|you|your|the (?:user|assistant|system|ai))\b/i;
const MIN_WORDS = 3;

/** What is asked to be remembered in so many words. What is said of oneself is read as everywhere. */
function readRequest(clause: string): Found | undefined {
  const what = REMEMBER.exec(clause)?.groups?.what?.trim() ?? "";
  if (what.split(/\s+/).length < MIN_WORDS || POINTS.test(what)) return undefined;
  const read = readClause(what);
  if (read !== undefined) return read;
  const text = swapPerson(what);
  return { text: text.charAt(0).toUpperCase() + text.slice(1), category: "project", subject: "project" };
}

function readClause(clause: string): Found | undefined {
  const project = readProject(clause);
  if (project !== undefined) return project;
  const order = readInstruction(clause);
  if (order !== undefined) return { text: order, category: "preference", subject: "user", key: "instruction" };
  const owned = readPossessive(clause);
  if (owned !== undefined) {
    const subject = owned.isSomebody ? `user's ${owned.owned}` : "user";
    return { ...owned, text: `User's ${owned.owned} ${owned.told}`, subject };
  }
  const statement = readStatement(clause.replace(WITH_ME, "I "));
  if (statement === undefined) return undefined;
  const object = trimObject(statement.rest);
  const category = judgeStatement(statement, object);
  if (category === undefined) return undefined;
  return { text: agreeAfterAnd(tellStatement(statement, object, "User")), category, subject: "user" };
}

function toFact(found: Found, turn: ExtractTurn, quote: string): ExtractedFact {
  const { speaker } = turn;
  const slot = found.key === undefined ? readSlot(found.text) : { key: normalizeKey(found.key), value: found.value };
  const isSpeaker = speaker !== undefined && found.subject !== "project";
  return omitUndefined({
    text: isSpeaker ? found.text.replace(/^User/, () => speaker) : found.text,
    category: found.category,
    key: slot?.key,
    value: slot?.value,
    subject: isSpeaker ? found.subject.replace(/^user/, () => speaker) : found.subject,
    confidence: EXTRACTED_CONFIDENCE,
    source: omitUndefined({ messageId: turn.id, speaker, quote }),
    updatesPrevious: hasChangeMarker(quote) ? (true as const) : undefined,
  });
}
