import type { Memory, MemoryService } from "throughline";
import { readRoles } from "throughline/internal/engine";
import { readTerms, splitSentences, termHashes } from "throughline/internal/util";
import type { SessionMeta } from "throughline/transcript";
import { type OpenData, openAllProjects, throughlineOf } from "../data/open-data.ts";
import { allMemories } from "../data/stored-memory.ts";
import type { Expiry } from "./find-histories.ts";
import type { HistorySurvey, OwnQuestion, RepeatedRule, SurveyedCompaction } from "./history-survey.ts";
import type { LearnedProject } from "./learn-from-sessions.ts";

/** Items of each list. */
const MAX_ITEMS = 50;

/** Findings of an import about the user's own work. */
export interface HistoryReport {
  readonly sessions: number;
  readonly messages: number;
  /** Times of the first and the last message; missing if the transcripts have none. */
  readonly from?: number;
  readonly until?: number;
  readonly memories: { readonly facts: number; readonly episodes: number; readonly workflows: number };
  readonly compactions: {
    readonly count: number;
    readonly sessions: number;
    /** Names that the agents needed after the compactions, and how many of them their own summaries kept. */
    readonly needed: number;
    readonly kept: number;
    /** The compaction that lost most. */
    readonly worst?: SurveyedCompaction & { readonly title?: string };
  };
  /** Rules that the user gave again after they had left the window. */
  readonly repeatedRules: readonly RepeatedRule[];
  /** Rules that the user gave and that are remembered now, most recent first. */
  readonly rules: readonly ReportedWork[];
  /** The projects of the imported sessions, with all their memories. */
  readonly projects: readonly LearnedProject[];
  readonly commands: readonly ReportedCommands[];
  /** Most recent first. */
  readonly work: readonly ReportedWork[];
  readonly question?: AnsweredQuestion;
  /** Transcripts that the agent deletes soon, and that are stored now. */
  readonly expiry?: Expiry;
}

/** Commands that are run one after the other in a project. */
interface ReportedCommands {
  readonly project: string | undefined;
  readonly commands: readonly string[];
  readonly times: number;
}

interface ReportedWork {
  readonly at: number;
  readonly title: string;
  readonly project: string | undefined;
}

/** The imported sessions. */
interface ReportedImport {
  readonly survey: HistorySurvey;
  readonly metas: ReadonlyMap<string, SessionMeta>;
  readonly sessionIds: readonly string[];
  readonly projects: readonly LearnedProject[];
  /** Project of each session. */
  readonly projectOfSession: (sessionId: string) => string | undefined;
  readonly expiry?: Expiry | undefined;
}

/** Builds the report from the survey and the stored memories. */
export async function buildReport(data: OpenData, imported: ReportedImport): Promise<HistoryReport> {
  const { survey, metas, sessionIds, expiry } = imported;
  const { memory } = await openAllProjects(data);
  const own = (await allMemories(memory)).filter(isOf(imported));
  const ofKind = (kind: Memory["kind"]) => own.filter((one) => one.kind === kind);
  const question = await findAnsweredQuestion(data, survey.questions, imported.projectOfSession);
  const stored = new Map((await memory.projects()).projects.map(({ id, memories }) => [id, memories]));
  return {
    sessions: sessionIds.filter((id) => metas.get(id)?.parentId === undefined).length,
    messages: survey.messages,
    ...(survey.until > 0 ? { from: survey.from, until: survey.until } : {}),
    memories: {
      facts: ofKind("fact").length,
      episodes: ofKind("episode").length,
      workflows: ofKind("workflow").length,
    },
    compactions: sumCompactions(survey.compactions, metas),
    repeatedRules: survey.rules.slice(0, MAX_ITEMS),
    rules: ofKind("fact").filter(isRule).map(readWork).sort(byTime).slice(0, MAX_ITEMS),
    projects: imported.projects.map((one) => ({ ...one, memories: stored.get(one.project ?? "") ?? one.memories })),
    commands: ofKind("workflow")
      .flatMap(readCommands)
      .sort((a, b) => b.times - a.times)
      .slice(0, MAX_ITEMS),
    work: ofKind("episode")
      .map(readWork)
      .sort((a, b) => b.at - a.at)
      .slice(0, MAX_ITEMS),
    ...(question === undefined ? {} : { question }),
    ...(expiry === undefined ? {} : { expiry }),
  };
}

/** Memories of imported sessions, and workflows of their projects. */
function isOf({ sessionIds, projects }: ReportedImport): (memory: Memory) => boolean {
  const sessions = new Set(sessionIds);
  const imported = new Set(projects.map(({ project }) => project));
  return ({ kind, source, projectId }) =>
    kind === "workflow" ? imported.has(projectId) : source.sessionId !== undefined && sessions.has(source.sessionId);
}

function sumCompactions(
  compactions: readonly SurveyedCompaction[],
  metas: ReadonlyMap<string, SessionMeta>,
): HistoryReport["compactions"] {
  const lost = ({ needed, kept }: SurveyedCompaction) => needed - kept;
  const [worst] = compactions.filter((one) => lost(one) > 0).sort((a, b) => lost(b) - lost(a));
  const title = worst && metas.get(worst.sessionId)?.title;
  return {
    count: compactions.length,
    sessions: new Set(compactions.map(({ sessionId }) => sessionId)).size,
    needed: compactions.reduce((sum, { needed }) => sum + needed, 0),
    kept: compactions.reduce((sum, { kept }) => sum + kept, 0),
    ...(worst === undefined ? {} : { worst: { ...worst, ...(title === undefined ? {} : { title }) } }),
  };
}

/** The commands in the text of a learned workflow: a line for each. Commands with a placeholder are left out. */
function readCommands({ levels, projectId: project }: Memory): ReportedCommands[] {
  const [head = "", ...lines] = levels.full.split("\n");
  const [, times] = /\((\d+) times in .*\):$/.exec(head) ?? [];
  const commands = lines.filter((line) => !line.includes("${") && !/^If \S+ fails with /.test(line));
  return times === undefined || commands.length === 0 ? [] : [{ project, commands, times: Number(times) }];
}

/** True for a rule that applies beyond the task it was given in. */
function isRule(memory: Memory): boolean {
  return readRoles(memory).includes("convention");
}

function byTime(a: ReportedWork, b: ReportedWork): number {
  return b.at - a.at;
}

function readWork({ levels, projectId: project, validFrom, createdAt }: Memory): ReportedWork {
  const [title = ""] = levels.full.split("\n");
  // Without the day of an episode, and without the message that a fact refers to.
  const short = title.replace(/ \([\d-]{10}\)$| \[re: .*$/, "");
  return { at: validFrom ?? createdAt, title: short, project };
}

/** Questions that are tried. */
const MAX_TRIED = 24;
const MAX_HITS = 5;
/** Later messages of the session answer other questions. */
const MAX_ANSWER_TIME = 10 * 60_000;
/** A question with fewer terms is not specific: "what's next?" */
const MIN_TERMS = 3;
/** "Why does this fail?": only the conversation explains it. */
const POINTING = /\b(?:it|its|this|that|these|those|they|them|there|here|above|you|your)\b/i;
/** Not "how about …?", which proposes something. */
const OPEN_QUESTION = /^(?:how|what|when|where|which|who|why)\b(?! about)/i;

/** A question from the history that the stored data answers. */
interface AnsweredQuestion {
  readonly text: string;
  readonly project: string | undefined;
  readonly answer: string;
}

/**
 * A question of the user to which `recall` finds the answer that the agent gave then. Questions that stand alone are
 * tried first.
 *
 * @param projectOfSession gives the project to search
 */
async function findAnsweredQuestion(
  data: OpenData,
  questions: readonly OwnQuestion[],
  projectOfSession: (sessionId: string) => string | undefined,
): Promise<AnsweredQuestion | undefined> {
  let best: (AnsweredQuestion & { readonly score: number }) | undefined;
  for (const [project, asked] of Map.groupBy(pick(questions), ({ sessionId }) => projectOfSession(sessionId))) {
    const { memory } = await throughlineOf(data, project);
    for (const question of asked) {
      const found = await findAnswer(memory, question);
      if (found !== undefined && found.score > (best?.score ?? 0)) best = { text: question.text, project, ...found };
    }
  }
  return best && { text: best.text, project: best.project, answer: best.answer };
}

/**
 * A sample of the questions: open ones that need no context, else ones that need no context, else any specific ones.
 */
function pick(questions: readonly OwnQuestion[]): readonly OwnQuestion[] {
  const specific = questions.filter(({ text }) => readTerms(text).length >= MIN_TERMS);
  const alone = specific.filter(({ text }) => !POINTING.test(text));
  const open = alone.filter(({ text }) => OPEN_QUESTION.test(text));
  const wanted = [open, alone, specific].find((some) => some.length > 0) ?? [];
  const step = Math.max(1, Math.floor(wanted.length / MAX_TRIED));
  return wanted.filter((_, i) => i % step === 0).slice(-MAX_TRIED);
}

/** The agent's answer, if it is among the first hits. */
async function findAnswer(
  memory: MemoryService,
  { text, sessionId, at }: OwnQuestion,
): Promise<{ readonly answer: string; readonly score: number } | undefined> {
  const hits = await memory.recall(text, { limit: MAX_HITS });
  const answer = hits.find(({ type, source }) => {
    const time = (source.at ?? 0) - at;
    const isNext = source.sessionId === sessionId && time >= 0 && time <= MAX_ANSWER_TIME;
    return type === "turn" && isNext && source.speaker === "assistant";
  });
  return answer && { answer: fromAnswer(answer.text, text), score: answer.score };
}

/** A reply from the first sentence that shares a word with the question: not "All tests pass." */
function fromAnswer(reply: string, question: string): string {
  const asked = termHashes(question);
  const sentences = splitSentences(reply);
  const first = sentences.findIndex(({ text }) => readTerms(text).some(({ hash }) => asked.has(hash)));
  return sentences
    .slice(Math.max(0, first))
    .map(({ text }) => text)
    .join(" ");
}
