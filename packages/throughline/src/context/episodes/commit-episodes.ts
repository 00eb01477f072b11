import { findSecrets, redactSecrets } from "../../internal/find-secrets.ts";
import { oneLine, stripInvisible } from "../../internal/text.ts";
import { statementWeight } from "../../ledger/statements.ts";
import { stableId } from "../../memory/ids.ts";
import type { RememberInput } from "../../memory/memory-api.ts";
import { slug } from "../../memory/text-levels/shorten-words.ts";
import type { Artifact } from "../../ports/memory.ts";
import type { Commit } from "../../ports/workspace.ts";
import { isTestFile } from "../patterns/read/test-steps.ts";
import { episodeLevels } from "./describe-episode.ts";
import { plainSentences } from "./episode-sentences.ts";
import { readableTitle, withoutType } from "./episode-title.ts";
import { findArtifacts, pullRequest, recordOf, unique } from "./task.ts";

const BREAKING = /^\w+(?:\([^)]*\))?!:|\bBREAKING[ -]CHANGE\b/;
const HAS_LETTERS = /[\p{L}\p{N}]/u;
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
  if (isRoutine(commit) || !HAS_LETTERS.test(subject) || !isNotable) return undefined;
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
    ...findArtifacts(`${subject}\n${body}`),
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
function tidyWords(text: string): string {
  return redactSecrets(stripInvisible(text).replace(TRAILER, "").replace(EMAIL, "")).trim();
}

/** True if all files of a commit are documents or tests, and none is a decision record. */
function leavesCodeAlone({ files }: Pick<Commit, "files">): boolean {
  const isAside = (file: string) => (DOCUMENT.test(file) && recordOf(file).length === 0) || isTestFile(file);
  return files.length > 0 && files.every(isAside);
}

/** True if a commit was made by a bot, or is only housekeeping. */
function isRoutine({ subject, author }: Pick<Commit, "subject" | "author">): boolean {
  return ROUTINE.test(subject.trim()) || BOT.test(author);
}

/** True if a commit is of a type that does not change behavior, such as `docs`. */
function isQuiet({ subject }: Pick<Commit, "subject">): boolean {
  return QUIET.test(subject.trim());
}

/** A commit with the parsed parts of its subject. */
interface Change {
  readonly commit: Commit;
  readonly type: string;
  readonly area: string;
  readonly text: string;
}

const CONVENTIONAL = /^(\w{2,12})(?:\(([^)]{1,40})\))?!?:\s+(.+)$/;
/** Folder names that do not describe their content. */
const NO_AREA = /^(?:src|lib|app|apps|packages|internal|cmd|pkg|test|tests|main|java|source)$/;
const MIN_CHANGES = 3;
const MAX_LISTED = 30;
const MAX_NAMED = 3;
const MAX_LINE_LENGTH = 140;
const MAX_MONTH_COMMITS = 12;
const MAX_MONTH_FILES = 10;
/** Types of commits by importance. */
const ORDER = ["feat", "perf", "refactor", "fix", ""];

/** One episode per area and month with enough commits that change behavior. */
export function monthEpisodes(
  commits: readonly Commit[],
  { projectId = "" }: { readonly projectId?: string | undefined } = {},
): readonly (RememberInput & { readonly id: string })[] {
  const changes = commits
    .filter((commit) => !isRoutine(commit) && !isQuiet(commit))
    .map(readChange)
    .filter(({ text }) => text !== "");
  const groups = Map.groupBy(changes, ({ area, commit }) => `${monthOf(commit)} ${area}`);
  return [...groups]
    .filter(([, own]) => own.length >= MIN_CHANGES && own[0]?.area !== "")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => describeMonth(own, stableId(["month", projectId, name], monthStart(own))));
}

function readChange(commit: Commit): Change {
  const subject = tidyWords(commit.subject);
  const [, type = "", scope = "", text = subject] = CONVENTIONAL.exec(subject) ?? [];
  return { commit, type: type.toLowerCase(), area: slug(scope || areaOf(commit.files), 2), text };
}

/** Folder of at least half of the files. "" if there is none. */
function areaOf(files: readonly string[]): string {
  const areas = files.flatMap(
    (file) =>
      file
        .split("/")
        .slice(0, -1)
        .find((folder) => !NO_AREA.test(folder)) ?? [],
  );
  const [most] = [...Map.groupBy(areas, (area) => area)].sort(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  );
  return most === undefined || most[1].length * 2 < files.length ? "" : most[0];
}

function monthOf({ at }: Commit): string {
  return new Date(at).toISOString().slice(0, 7);
}

function monthStart([first]: readonly Change[]): number {
  return first === undefined ? 0 : Date.parse(`${monthOf(first.commit)}-01T00:00:00Z`);
}

function describeMonth(changes: readonly Change[], id: string): RememberInput & { readonly id: string } {
  const [{ commit, area } = { commit: undefined, area: "" }] = changes;
  const month = commit === undefined ? "" : monthOf(commit);
  const ranked = changes.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || b.commit.at - a.commit.at || (a.text < b.text ? -1 : 1),
  );
  const lines = ranked.map(({ type, text }) =>
    redactSecrets(oneLine(type === "" ? text : `${type}: ${text}`, MAX_LINE_LENGTH)),
  );
  const changesShown = [...new Set(ranked.map(({ text }) => redactSecrets(oneLine(text, MAX_LINE_LENGTH))))];
  const more = lines.length - MAX_LISTED;
  const heading = `${area} in ${month}: ${changes.length} changes`;
  const last = Math.max(...changes.map((one) => one.commit.at));
  return {
    id,
    kind: "episode",
    title: `${area} ${month}`,
    text: [
      heading,
      ...lines.slice(0, MAX_LISTED).map((line) => `- ${line}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join("\n"),
    levels: {
      summary: `${heading}, among them: ${changesShown.slice(0, MAX_NAMED).join("; ")}.`,
      compressed: `${area} ${month}: ${oneLine(changesShown.slice(0, 2).join(", "), MAX_LINE_LENGTH)}`,
      index: slug(`${area} ${month.replace("-", " ")}`),
    },
    artifacts: monthArtifacts(changes),
    source: { at: last },
    validFrom: monthStart(changes),
  };
}

function rankOf({ type }: Change): number {
  const at = ORDER.indexOf(type);
  return at < 0 ? ORDER.length : at;
}

/** The newest commits and the most changed files. */
function monthArtifacts(changes: readonly Change[]): readonly Artifact[] {
  const newest = changes.toSorted((a, b) => b.commit.at - a.commit.at || (a.commit.id < b.commit.id ? -1 : 1));
  const files = [
    ...Map.groupBy(
      changes.flatMap(({ commit }) => commit.files),
      (file) => file,
    ),
  ];
  const most = files.sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1)).map(([file]) => file);
  return [
    ...newest
      .slice(0, MAX_MONTH_COMMITS)
      .map(({ commit }): Artifact => ({ type: "commit", ref: commit.id.slice(0, 12) })),
    ...most.slice(0, MAX_MONTH_FILES).map((ref): Artifact => ({ type: "file", ref })),
  ].filter(({ ref }) => findSecrets(ref).length === 0);
}
