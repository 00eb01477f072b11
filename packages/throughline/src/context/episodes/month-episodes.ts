import { findSecrets, redactSecrets } from "../../internal/find-secrets.ts";
import { oneLine } from "../../internal/text.ts";
import { stableId } from "../../memory/ids.ts";
import type { RememberInput } from "../../memory/memory-api.ts";
import { slug } from "../../memory/text-levels/shorten-words.ts";
import type { Artifact } from "../../ports/memory.ts";
import type { Commit } from "../../ports/workspace.ts";
import { isQuiet, isRoutine, tidyWords } from "./commit-episode.ts";

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
const MAX_COMMITS = 12;
const MAX_FILES = 10;
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
    artifacts: artifactsOf(changes),
    source: { at: last },
    validFrom: monthStart(changes),
  };
}

function rankOf({ type }: Change): number {
  const at = ORDER.indexOf(type);
  return at < 0 ? ORDER.length : at;
}

/** The newest commits and the most changed files. */
function artifactsOf(changes: readonly Change[]): readonly Artifact[] {
  const newest = changes.toSorted((a, b) => b.commit.at - a.commit.at || (a.commit.id < b.commit.id ? -1 : 1));
  const files = [
    ...Map.groupBy(
      changes.flatMap(({ commit }) => commit.files),
      (file) => file,
    ),
  ];
  const most = files.sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1)).map(([file]) => file);
  return [
    ...newest.slice(0, MAX_COMMITS).map(({ commit }): Artifact => ({ type: "commit", ref: commit.id.slice(0, 12) })),
    ...most.slice(0, MAX_FILES).map((ref): Artifact => ({ type: "file", ref })),
  ].filter(({ ref }) => findSecrets(ref).length === 0);
}
