import type { PartDraft } from "../../message/part.ts";
import { openingTag, splitWrapped } from "./split-wrapped.ts";

/** A text block of a user message, as Cline writes it. */
export type ClineText =
  /** Start of a tool output, which may continue in later blocks. */
  | { readonly type: "result"; readonly toolName: string; readonly output: string }
  /** User text, if any, and the text that Cline adds around it. */
  | { readonly type: "said"; readonly parts: readonly PartDraft[] }
  /** Marked neither as user text nor as Cline's. */
  | { readonly type: "plain"; readonly text: string };

const RESULT = /^\[([\w.-]{1,80})(?: [^\n]{0,2000}?)?\] Result:[ \t]*\n?/;
/** Tools whose output is the user's answer. */
const ASKING = /^(?:ask_followup_question|ask_question|attempt_completion|plan_mode_respond|new_task|condense)$/;
/** Tags around user text. */
const SPEECH = /<(task|user_message|user_input|user_command|feedback|answer)(?:\s[^<>]{0,400})?>/;
const BEGINS_WITH_SPEECH = new RegExp(`^\\s*${SPEECH.source}`);
/** Sentences that Cline puts before user text. */
const INTRODUCES_SPEECH =
  /^\s*(?:\[TASK RESUMPTION\]|The user (?:has )?(?:provided|denied|approved)|You seem to be having trouble proceeding\.|New (?:instructions|message))/;
const INJECTED =
  /^\s*(?:<(?:environment_details|explicit_instructions|file_content|folder_content|url_content|mode_notice|hook_context|error)\b|\[(?:ERROR|NOTE|TASK RESUMPTION)\]|The tool execution failed|The user denied this operation|# (?:TODO LIST|task_progress))/i;
/** Tags of content that Cline quotes inside user text. */
const QUOTED = openingTag(
  "file_content",
  "folder_content",
  "url_content",
  "workspace_diagnostics",
  "terminal_output",
  "git_(?:working_state|commit)",
  "mode_notice",
  "hook_context",
  "environment_details",
  "explicit_instructions",
);

export function readClineText(text: string): ClineText {
  const result = RESULT.exec(text);
  if (result !== null) {
    const [head, toolName = ""] = result;
    const output = text.slice(head.length);
    return { type: "result", toolName, output };
  }
  if (BEGINS_WITH_SPEECH.test(text) || INTRODUCES_SPEECH.test(text)) return { type: "said", parts: spokenIn(text) };
  return INJECTED.test(text) ? { type: "said", parts: [injected(text)] } : { type: "plain", text };
}

/** Reads the user's text from the output of a tool that asks the user. Output of other tools is not user text. */
export function readAnswer(toolName: string, output: string): PartDraft[] {
  const begins = BEGINS_WITH_SPEECH.test(output) || INTRODUCES_SPEECH.test(output);
  return begins && ASKING.test(toolName) ? spokenIn(output).filter(isSpoken) : [];
}

/** Working directory of the session. */
export function folderInCline(text: string): string | undefined {
  const found = /# Current Working Directory \(([^\n)]{1,4096})\)|\bWorking Directory: ([^\n]{1,4096})/.exec(text);
  return found?.[1] ?? found?.[2];
}

export function injected(text: string): PartDraft {
  return { type: "text", text, synthetic: true };
}

function isSpoken(part: PartDraft): boolean {
  return part.type === "text" && part.synthetic !== true;
}

/** Reads the text in the first wrapper. Text around it is Cline's. */
function spokenIn(text: string): PartDraft[] {
  const opening = SPEECH.exec(text);
  if (opening === null) return [injected(text)];
  const start = opening.index + opening[0].length;
  const close = text.indexOf(`</${opening[1]}>`, start);
  const end = close < 0 ? text.length : close;
  const words: PartDraft = { type: "text", text: text.slice(start, end).trim() };
  const outside = [text.slice(0, start), text.slice(end)].map((one) => one.trim());
  const isTagAlone = (one: string) => /^<\/?\w+(?:\s[^<>]{0,400})?>$/.test(one);
  const [before = "", after = ""] = outside.map((one) => (isTagAlone(one) ? "" : one));
  return [
    ...(before === "" ? [] : [injected(before)]),
    ...splitWrapped(words, QUOTED),
    ...(after === "" ? [] : [injected(after)]),
  ];
}

/** Tools whose calls older versions of Cline write as text: `<read_file><path>a.ts</path></read_file>`. */
const TOOLS = [
  "access_mcp_resource",
  "apply_diff",
  "ask_followup_question",
  "attempt_completion",
  "browser_action",
  "codebase_search",
  "condense",
  "execute_command",
  "fetch_instructions",
  "insert_content",
  "list_code_definition_names",
  "list_files",
  "load_mcp_documentation",
  "new_rule",
  "new_task",
  "plan_mode_respond",
  "read_file",
  "replace_in_file",
  "report_bug",
  "search_and_replace",
  "search_files",
  "switch_mode",
  "update_todo_list",
  "use_mcp_tool",
  "use_skill",
  "web_fetch",
  "web_search",
  "write_to_file",
];
const OPENING = new RegExp(`^[ \\t]*<(${TOOLS.join("|")})>`, "gm");
const PARAMETER = /<(\w{1,60})>/g;

/** Splits the model's text into text and calls. A call without an end stays text. */
export function splitXmlCalls(text: string, makeId: (toolName: string) => string): PartDraft[] {
  const parts: PartDraft[] = [];
  const unclosed = new Set<string>();
  let last = 0;
  const takeText = (end: number) => {
    const said = text.slice(last, end);
    if (said.trim() !== "") parts.push({ type: "text", text: said.trim() });
  };
  for (const { 0: opening, 1: toolName = "", index } of text.matchAll(OPENING)) {
    if (index < last || unclosed.has(toolName)) continue;
    const start = index + opening.length;
    const close = text.indexOf(`</${toolName}>`, start);
    if (close < 0) {
      unclosed.add(toolName);
      continue;
    }
    takeText(index);
    const input = readParameters(text.slice(start, close));
    parts.push({ type: "tool-call", toolCallId: makeId(toolName), toolName, input });
    last = close + toolName.length + 3;
  }
  takeText(text.length);
  return parts;
}

const MAX_UNCLOSED = 20;

function readParameters(text: string): Record<string, string> {
  const input = new Map<string, string>();
  const unclosed = new Set<string>();
  let last = 0;
  for (const { 0: opening, 1: name = "", index } of text.matchAll(PARAMETER)) {
    if (unclosed.size > MAX_UNCLOSED) break;
    if (index < last || unclosed.has(name)) continue;
    const start = index + opening.length;
    const close = text.indexOf(`</${name}>`, start);
    if (close < 0) unclosed.add(name);
    else {
      if (!input.has(name)) input.set(name, text.slice(start, close).trim());
      last = close + name.length + 3;
    }
  }
  return Object.fromEntries(input);
}
