import { redactSecrets } from "../../internal/find-secrets.ts";
import { oneLine } from "../../internal/text.ts";
import type { Ledger, LedgerFile } from "../../ledger/ledger.ts";
import { wasChanged } from "../../ledger/reduce-outcome.ts";
import type { Artifact } from "../../ports/memory.ts";

/** A commit that was made during a task. */
export interface TaskCommit {
  readonly id: string;
  readonly subject: string;
}

/** Title of a plan, a pull request or an issue. */
export interface TaskTitle {
  readonly type: "plan" | "pr" | "issue";
  readonly text: string;
}

/** A task of the user with everything that was done for it. An episode describes one task. */
export interface Task {
  /** Id of its first message. */
  readonly id: string;
  readonly sessionId: string;
  /** Milliseconds since 1970. 0 if unknown. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Ledger of this task only. */
  readonly ledger: Ledger;
  readonly commits: readonly TaskCommit[];
  /** Pull requests and decision records that were created or mentioned. */
  readonly artifacts: readonly Artifact[];
  /** Titles of the plans, pull requests and issues that were written during the task. */
  readonly titles: readonly TaskTitle[];
  /** All to-dos that the assistant wrote down, also those that its list no longer has. */
  readonly todos: readonly string[];
  /** True if the user's last message is thanks or praise. */
  readonly isAccepted: boolean;
}

/** Paths outside of any project. */
const ELSEWHERE =
  /^(?:\/tmp\/|\/private\/|\/var\/|~\/\.|\/dev\/|[A-Za-z]:\\(?:Temp|Windows)\\)|(?:^|\/)(?:node_modules|\.git|\.claude|\.codex)\//;

/** Changed files of the project, the last used one at the end. Paths are relative to the folder, if it is known. */
export function changedFiles({ files }: Ledger, folder?: string): readonly LedgerFile[] {
  return files
    .filter(wasChanged)
    .map((file) => ({ ...file, path: fromRoot(file.path, folder) }))
    .filter(({ path }) => !ELSEWHERE.test(path) && !(folder !== undefined && /^(?:\/|[A-Za-z]:|~|\.\.\/)/.test(path)));
}

/** Path relative to the folder, if it is below it. */
export function fromRoot(path: string, folder: string | undefined): string {
  const plain = path.replaceAll("\\", "/");
  const root = folder?.replaceAll("\\", "/").replace(/(?<!\/)\/+$/, "");
  return root !== undefined && root !== "" && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
}

/** Output of `git commit`: branch, id and subject. */
const COMMITTED = /^\s{0,4}\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (.{1,400})$/gm;
const PULL_REQUEST =
  /https:\/\/[\w.-]{3,100}\/([\w.-]{1,100}\/[\w./-]{1,150}?)\/(?:pull|pulls|merge_requests)\/(\d{1,7})\b/g;
const SPOKEN_PULL_REQUEST = /\b(?:PR|pull request|MR|merge request) ?#(\d{1,7})\b/gi;
const DECISION_RECORD = /\bADR[- ]?(\d{1,4})\b/g;
const DECISION_FILE = /(?:^|\/)(?:adrs?|decisions)\/(?:adr-?)?(\d{3,4})-[^/]+\.md$/i;
const MAX_SUBJECT_LENGTH = 160;
const MAX = 20;

export function findCommits(output: string): readonly TaskCommit[] {
  return [...output.matchAll(COMMITTED)].slice(0, MAX).map(([, id = "", subject = ""]) => ({
    id: id.slice(0, 12),
    subject: redactSecrets(oneLine(subject, MAX_SUBJECT_LENGTH)),
  }));
}

/** Pull requests and decision records that a text mentions. */
export function findArtifacts(text: string): readonly Artifact[] {
  const linked = [...text.matchAll(PULL_REQUEST)].map(([, repository, number]) =>
    pullRequest(`${repository}#${number}`),
  );
  const spoken = [...text.matchAll(SPOKEN_PULL_REQUEST)].map(([, number]) => pullRequest(`#${number}`));
  const records = [...text.matchAll(DECISION_RECORD)].map(([, number = ""]) => adr(number));
  return unique([...linked, ...spoken, ...records]).slice(0, MAX);
}

/** Decision record of a file, by its path. */
export function recordOf(path: string): readonly Artifact[] {
  const number = DECISION_FILE.exec(path)?.[1];
  return number === undefined ? [] : [adr(number)];
}

/** Removes duplicates. `#12` and `owner/name#12` are the same; the longer reference is kept. */
export function unique(artifacts: readonly Artifact[]): readonly Artifact[] {
  const kept: Artifact[] = [];
  for (const artifact of artifacts) {
    const known = kept.findIndex((one) => one.type === artifact.type && isSame(one.ref, artifact.ref, one.type));
    if (known < 0) kept.push(artifact);
    else if ((kept[known]?.ref.length ?? 0) < artifact.ref.length && artifact.type === "pr") kept[known] = artifact;
  }
  return kept;
}

function isSame(a: string, b: string, type: Artifact["type"]): boolean {
  if (a === b) return true;
  if (type === "adr") return Number(a.slice(4)) === Number(b.slice(4));
  if (type === "commit") return a.startsWith(b) || b.startsWith(a);
  return type === "pr" && (a.startsWith("#") || b.startsWith("#")) && a.split("#")[1] === b.split("#")[1];
}

/** A pull request by its number, with or without the repository. */
export function pullRequest(ref: string): Artifact {
  return { type: "pr", ref };
}

function adr(number: string): Artifact {
  return { type: "adr", ref: `ADR-${number.padStart(3, "0")}` };
}
