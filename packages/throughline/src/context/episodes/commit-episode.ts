import { findSecrets, redactSecrets } from "../../internal/find-secrets.ts";
import { stripInvisible } from "../../internal/text.ts";
import { statementWeight } from "../../ledger/statements.ts";
import { stableId } from "../../memory/ids.ts";
import type { RememberInput } from "../../memory/memory-api.ts";
import type { Artifact } from "../../ports/memory.ts";
import type { Commit } from "../../ports/workspace.ts";
import { isTestFile } from "../patterns/concepts/testing.ts";
import { episodeLevels } from "./describe-episode.ts";
import { findMentions, pullRequest, recordOf, unique } from "./find-artifacts.ts";
import { readableTitle, withoutType } from "./text/episode-title.ts";
import { plainSentences } from "./text/plain-sentences.ts";

const BREAKING = /^\w+(?:\([^)]*\))?!:|\bBREAKING[ -]CHANGE\b/;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const REVERT = /^revert\b/i;
/** The number of the pull request that a squash merge adds to the subject. */
const PULL_REQUEST = /\s*\(#(\d{1,7})\)$/;
/** A list item, with the indented lines below it. A squash merge lists the subjects of its commits. */
const LIST_ITEM = /^[^\S\n]*(?:[-*+•]|\d{1,3}[.)])[^\S\n].*(?:\n[^\S\n]+\S.*)*$/gm;
/** A line with nothing but the id of a commit, the number of an issue or the name of a tool. */
const REFERENCE =
  /^(?:this reverts commit [0-9a-f]{7,40}\b.{0,80}|(?:refs?|fix(?:e[sd])?|close[sd]?|resolve[sd]?|related to|part of)\b:? (?:(?:\S{0,80}#\d{1,7}|https?:\/\/\S{1,200})(?:,? (?:and )?|(?=[. \t]*$))){1,5}|\W{0,4}generated (?:with|by) .{1,80})[. \t]*$/gim;
/** The mark of a list item without a space behind it. */
const TIGHT_MARK = /^[-*•](?=\p{L})/gmu;
/** A sentence about the tests of the change. */
const ABOUT_TESTS =
  /^(?:tests?|testing|coverage|verified)\b|\btests? (?:cover|pass|are|is|now|added)\b|^adds? (?:\S+ ){0,3}tests?\b/i;
/** Minimum words of an explanation, and minimum weight of one of its sentences. */
const MIN_WORDS = 8;
const MIN_WEIGHT = 1.1;
const MAX_WORDS = 120;
const MAX_FILES = 20;
const MAX_LISTED_FILES = 8;
const MAX_BODY_LENGTH = 4_000;

/**
 * Makes an episode from a commit whose message gives a reason or explains a change of behavior, from a breaking change
 * and from a revert. Undefined for other commits. The author is not kept.
 */
export function commitEpisode(
  commit: Commit,
  { projectId = "" }: { readonly projectId?: string | undefined } = {},
): (RememberInput & { readonly id: string }) | undefined {
  const { subject, body } = readWords(commit);
  const explanation = explanationOf(body);
  const isBreaking = BREAKING.test(subject) || BREAKING.test(body);
  const isNotable = isBreaking || REVERT.test(subject) || (isExplained(explanation) && !leavesCodeAlone(commit));
  if (isRoutine(commit) || !SAYS_SOMETHING.test(subject) || !isNotable) return undefined;
  const isStated = explanation.some((sentence) => BREAKING.test(sentence));
  const sentences = isBreaking && !isStated ? ["Breaking change.", ...explanation] : explanation;
  const id = commit.id.slice(0, 12);
  const title = readableTitle(withoutType(subject.replace(PULL_REQUEST, "")));
  const files = commit.files.slice(0, MAX_LISTED_FILES).join(", ");
  const { full, ...shorter } = episodeLevels({
    title,
    at: commit.at,
    commit: id,
    state: "done",
    body: [sentences.join(" "), files === "" ? "" : `Changed: ${files}`].filter((line) => line !== "").join("\n"),
    sentences,
  });
  return {
    id: stableId(["commit", projectId, commit.id], commit.at),
    kind: "episode",
    text: full,
    title,
    levels: shorter,
    artifacts: artifactsOf(commit, { id, subject, body }),
    source: { at: commit.at },
    validFrom: commit.at,
  };
}

/** Subject and body of a commit. If the message starts with trailers, the first other line is the subject. */
function readWords({ subject, body }: Commit): { readonly subject: string; readonly body: string } {
  const [first = "", ...rest] = `${tidyWords(subject)}\n${tidyWords(body)}`.trim().split("\n");
  return { subject: first.trim(), body: rest.join("\n").trim().slice(0, MAX_BODY_LENGTH) };
}

/** The prose of a message, without lists, subjects of other commits, references and sentences about its tests. */
function explanationOf(body: string): readonly string[] {
  const kept: string[] = [];
  let words = 0;
  const prose = body.replace(LIST_ITEM, "").replace(REFERENCE, "").replace(TIGHT_MARK, "");
  for (const sentence of new Set(plainSentences(prose))) {
    if (ABOUT_TESTS.test(sentence) || withoutType(sentence) !== sentence) continue;
    words += countWords(sentence);
    if (words > MAX_WORDS) break;
    kept.push(sentence);
  }
  return kept;
}

function isExplained(sentences: readonly string[]): boolean {
  const words = sentences.reduce((sum, sentence) => sum + countWords(sentence), 0);
  return words >= MIN_WORDS && sentences.some((sentence) => statementWeight(sentence) >= MIN_WEIGHT);
}

function countWords(text: string): number {
  return text.split(/\s+/).length;
}

function artifactsOf(
  { files }: Commit,
  { id, subject, body }: { readonly id: string; readonly subject: string; readonly body: string },
): readonly Artifact[] {
  const [, number] = PULL_REQUEST.exec(subject) ?? [];
  const listed = files.slice(0, MAX_FILES);
  return unique([
    { type: "commit", ref: id },
    ...(number === undefined ? [] : [pullRequest(`#${number}`)]),
    ...findMentions(`${subject}\n${body}`),
    ...listed.flatMap(recordOf),
    ...listed.map((ref): Artifact => ({ type: "file", ref })),
  ]).filter(({ ref }) => findSecrets(ref).length === 0);
}

/** Trailer lines such as `Signed-off-by: …`. */
const TRAILER = /^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Change-Id|Fixes|Closes|Refs|See): .*$/gm;
const EMAIL = /<?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+>?/g;
/** Housekeeping: merges, versions, formatting, and a change that takes back a revert. */
const ROUTINE =
  /^(?:merge\b|\w{2,12}\(deps|bump |release\b|v?\d+\.\d+|update changelog|wip\b|clean-?up\b(?!:)|fixup!|squash!|(?:style|ci|release)(?:\([^)]{1,40}\))?:|revert "(?:revert|reapply)\b|reapply "|(?:\w{2,12}(?:\([^)]{1,40}\))?: )?(?:fix(?:e[ds])? )?(?:(?:an?|the|some|minor|small) ){0,2}typos?\b)/i;
/** Types of commits that do not change behavior. */
const QUIET = /^(?:docs?|tests?|chore|build)(?:\([^)]{1,40}\))?:/i;
const DOCUMENT = /\.(?:mdx?|rst|adoc|txt)$|(?:^|\/)docs?\/|(?:^|\/)(?:license|changes|changelog|authors|\.gitignore)$/i;
const BOT = /\[bot\]|\bbot\b|dependabot|renovate/i;

/** Text of a commit message without invisible characters, trailers, secrets and e-mail addresses. */
export function tidyWords(text: string): string {
  return redactSecrets(stripInvisible(text).replace(TRAILER, "").replace(EMAIL, "")).trim();
}

/** True if all files of a commit are documents or tests, and none is a decision record. */
function leavesCodeAlone({ files }: Pick<Commit, "files">): boolean {
  const isAside = (file: string) => (DOCUMENT.test(file) && recordOf(file).length === 0) || isTestFile(file);
  return files.length > 0 && files.every(isAside);
}

/** True if a commit was made by a bot, or is only housekeeping. */
export function isRoutine({ subject, author }: Pick<Commit, "subject" | "author">): boolean {
  return ROUTINE.test(subject.trim()) || BOT.test(author);
}

/** True if a commit is of a type that does not change behavior, such as `docs`. */
export function isQuiet({ subject }: Pick<Commit, "subject">): boolean {
  return QUIET.test(subject.trim());
}
