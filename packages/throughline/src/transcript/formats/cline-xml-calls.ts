import type { PartDraft } from "../../message/part.ts";

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

const MAX_UNCLOSED = 20;
