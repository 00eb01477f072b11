import type { Memory } from "throughline";
import { readRoles } from "throughline/internal";
import type { SessionMeta } from "throughline/transcript";
import { type OpenData, openAllProjects } from "../data/open-data.ts";
import { allMemories } from "../data/stored-memory.ts";
import type { Expiry } from "./find-histories.ts";
import type { LearnedProject } from "./learn-from-sessions.ts";
import { type AnsweredQuestion, findAnsweredQuestion } from "./answered-question.ts";
import type { HistorySurvey, SurveyedCompaction } from "./history-survey.ts";
import type { RepeatedRule } from "./rule-log.ts";

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
export interface ReportedImport {
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

/** True for a rule that holds beyond the task it was given in. */
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
