import { findSecrets } from "../../internal/find-secrets.ts";
import { EMPTY_LEDGER, type LedgerFile } from "../../ledger/ledger.ts";
import type { RememberInput } from "../../memory/service/memory-api.ts";
import { stableId } from "../../memory/service/stable-id.ts";
import type { Commit } from "../../ports/workspace.ts";
import { isRoutine, tidyWords } from "./commit-words.ts";
import { findMentions } from "./find-artifacts.ts";
import { isDecision } from "./is-decision.ts";
import { plainSentences } from "./plain-sentences.ts";
import { tellEpisode } from "./tell-episode.ts";

const BREAKING = /^\w+(?:\([^)]*\))?!:|\bBREAKING[ -]CHANGE\b/;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const REVERT = /^revert\b/i;
/** Minimum number of sentences that count as an explanation of a change. */
const TELLING_SENTENCES = 2;
const MAX_FILES = 20;
const MAX_BODY_LENGTH = 4_000;

/**
 * Makes an episode from a commit whose message has value beyond the change: a decision, a breaking change, a revert or
 * an explanation. Undefined for other commits. The author is not kept.
 */
export function commitEpisode(
  commit: Commit,
  { projectId = "" }: { readonly projectId?: string | undefined } = {},
): (RememberInput & { readonly id: string }) | undefined {
  const said = readWords(commit);
  if (isRoutine(commit) || !isTelling(said)) return undefined;
  const id = commit.id.slice(0, 12);
  const { title, levels, artifacts } = tellEpisode({
    id,
    sessionId: "",
    startedAt: commit.at,
    endedAt: commit.at,
    ledger: { ...EMPTY_LEDGER, files: commit.files.slice(0, MAX_FILES).map(toFile) },
    commits: [{ id, subject: said.subject }],
    artifacts: findMentions(`${said.subject}\n${said.body}`),
    replies: [said.body],
  });
  const { full, ...shorter } = levels;
  return {
    id: stableId(["commit", projectId, commit.id], commit.at),
    kind: "episode",
    text: full,
    title,
    levels: shorter,
    artifacts: artifacts.filter(({ ref }) => findSecrets(ref).length === 0),
    source: { at: commit.at },
    validFrom: commit.at,
  };
}

/** Subject and body of a commit. If the message starts with trailers, the first other line is the subject. */
function readWords({ subject, body }: Commit): { readonly subject: string; readonly body: string } {
  const [first = "", ...rest] = `${tidyWords(subject)}\n${tidyWords(body)}`.trim().split("\n");
  return { subject: first.trim(), body: rest.join("\n").trim().slice(0, MAX_BODY_LENGTH) };
}

function isTelling({ subject, body }: { readonly subject: string; readonly body: string }): boolean {
  if (!SAYS_SOMETHING.test(subject)) return false;
  if (BREAKING.test(subject) || BREAKING.test(body) || REVERT.test(subject)) return true;
  return plainSentences(body).some(isDecision) || plainSentences(body).length >= TELLING_SENTENCES;
}

function toFile(path: string, at: number): LedgerFile {
  return { id: at + 1, path, actions: { edited: 1 }, last: "edited", at: 0 };
}
