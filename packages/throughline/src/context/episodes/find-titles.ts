import { stringField } from "../../internal/json.ts";
import { readCall, readInput } from "../../ledger/read/read-call.ts";
import type { ToolCallPart } from "../../message/part.ts";
import type { TaskTitle } from "./task.ts";

const HEADING = /^\\?#{1,3}[^\S\n]+(\S.{0,400})$/m;
/** A Markdown file with a plan. */
const PLAN_FILE = /(?:^|\/)(?:plans?\/[^/]{1,200}|[^/]{0,100}\bplan\b[^/]{0,100})\.md$/i;
const PLAN_WORDS =
  /^(?:implementation |design )?plan(?: for)?[:\s–—-]+|[\s:–—-]+(?:implementation |design )?plan$|^plan$/gi;
/** The first words of a request that contains a plan. */
const PASTED_PLAN = /^implement the following plan:\s*/i;
const COMMIT_TYPE =
  /^(?:feat(?:ure)?|(?:bug|hot)?fix|perf|refactor|docs?|tests?|chore|build|ci|style|revert)(?:\([^)]{1,40}\))?!?:\s+(?=\S)/i;
const OPENS_PULL_REQUEST = /\b(?:gh pr|glab mr) create\b/;
const TITLE_OPTION = /\s(?:--title|-t)[=\s]+(?:"([^"\n]{3,300})"|'([^'\n]{3,300})')/;
const PULL_REQUEST_TOOL = /create_?(?:pull|merge)_?request$/i;
const ISSUE_TOOL = /create_?(?:issue|ticket)$/i;
const MAX_READ = 4_000;

/** Titles that a call gives to the work: of a plan, a pull request, or an issue for later work. */
export function titlesOfCall(part: ToolCallPart): readonly TaskTitle[] {
  const fields = readInput(part.input);
  const title = stringField(fields, "title");
  if (title !== undefined && ISSUE_TOOL.test(part.toolName)) return [{ type: "issue", text: title }];
  if (title !== undefined && PULL_REQUEST_TOOL.test(part.toolName)) return [{ type: "pr", text: withoutType(title) }];
  const plan = stringField(fields, "plan");
  if (plan !== undefined) return planTitle(plan).map(toPlan);
  const { shell, touches, texts } = readCall(part);
  if (shell !== undefined) {
    const scripts = texts.filter(({ place }) => place === "command");
    return scripts.flatMap(({ text }) => pullRequestTitle(text)).map((text) => ({ type: "pr", text }));
  }
  const body = stringField(fields, "content") ?? stringField(fields, "file_text");
  const isPlan = body !== undefined && touches.some(({ path }) => PLAN_FILE.test(path));
  return isPlan ? planTitle(body).map(toPlan) : [];
}

function toPlan(text: string): TaskTitle {
  return { type: "plan", text };
}

/** Title of a plan that a request contains; undefined for another request. */
export function titleOfPastedPlan(request: string): string | undefined {
  return PASTED_PLAN.test(request) ? planTitle(request.replace(PASTED_PLAN, ""))[0] : undefined;
}

/** A commit subject or the title of a pull request without its type: `fix(auth): use UTC` becomes "use UTC". */
export function withoutType(subject: string): string {
  return subject.trim().replace(COMMIT_TYPE, "");
}

function planTitle(markdown: string): readonly string[] {
  const heading = HEADING.exec(markdown.slice(0, MAX_READ))?.[1]?.replace(PLAN_WORDS, "").trim() ?? "";
  return heading === "" ? [] : [withoutType(heading)];
}

function pullRequestTitle(script: string): readonly string[] {
  if (!OPENS_PULL_REQUEST.test(script)) return [];
  const [, double, single] = TITLE_OPTION.exec(script.slice(0, MAX_READ)) ?? [];
  const title = double ?? single;
  return title === undefined ? [] : [withoutType(title)];
}
