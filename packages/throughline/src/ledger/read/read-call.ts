import { isRecord } from "../../internal/json.ts";
import { Lru } from "../../internal/lru.ts";
import { oneLine } from "../../internal/text.ts";
import type { ToolCallPart } from "../../message/part.ts";
import { type FileAction, LIMITS, type TodoStatus } from "../ledger.ts";
import type { Place } from "../ledger-names.ts";
import { readAddedLines } from "./code-changes.ts";
import { type FileTouch, readPatch, readShell, type ShellFacts } from "./read-shell.ts";

/** Facts about a call that are known before it runs. */
interface CallFacts {
  readonly touches: readonly FileTouch[];
  readonly shell?: ShellFacts;
  readonly todos?: TodoUpdate;
  /** Lines that it adds to a file. */
  readonly lines: readonly string[];
  /** All texts of its arguments, with their use. */
  readonly texts: readonly { readonly text: string; readonly place: Place }[];
}

const PATH_KEY = /^(file_?path|notebook_?path|path|file|filename|absolute_?path|target_?file|relative_?path|uri)$/i;
const DIRECTORY_KEY = /^(dir|dir_?path|directory|cwd|workdir|working_?directory|root)$/i;
const COMMAND_KEY = /^(command|cmd|script|shell_?command)$/i;
const BODY_KEY =
  /^(old_?(string|str|text)|new_?(string|str|text|source)|content|contents|file_?text|insert_?text|edits|patch|diff|input|code)$/i;
const SHELL_TOOL = /bash|shell|exec|terminal|command|console/;
const MAX_DEPTH = 6;
const MAX_TEXTS = 400;

type Call = Pick<ToolCallPart, "toolName" | "input">;

/** Calls that were read last: one message is read for its ledger, its story and its steps. */
const recent = new Lru<Call, CallFacts>({ maxSize: 32 });

/** Reads a call of any agent's tool. Of an unknown tool, arguments that look like paths and commands are read. */
export function readCall(call: Call): CallFacts {
  let facts = recent.get(call);
  if (facts === undefined) {
    facts = factsOf(call);
    recent.set(call, facts);
  }
  return facts;
}

function factsOf({ toolName, input }: Call): CallFacts {
  const tool = baseName(toolName);
  const fields = readInput(input);
  const command = shellOf(tool, fields);
  const shell = command === undefined ? undefined : readShell(command);
  const texts: { text: string; place: Place }[] = [];
  collectTexts(fields, "", command !== undefined, texts, 0);
  const patch = texts.find(({ text }) => text.includes("*** Begin Patch"))?.text;
  const todos = readTodos(tool, fields);
  return {
    touches: [...pathTouches(tool, fields), ...(shell?.touches ?? (patch === undefined ? [] : readPatch(patch)))],
    ...(shell === undefined ? {} : { shell }),
    ...(todos === undefined ? {} : { todos }),
    lines: command === undefined || patch !== undefined ? readAddedLines(fields, patch) : [],
    texts,
  };
}

/** `mcp__files__read_file` and `str_replace_editor`, without prefix, case and underscores. */
function baseName(toolName: string): string {
  return (
    toolName
      .slice(-120)
      .split(/__|[./:]/)
      .at(-1) ?? ""
  )
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** Arguments of a call: an object, JSON text, or plain text. */
export function readInput(input: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(input)) return input;
  if (typeof input !== "string") return { input };
  if (input.startsWith("{")) {
    try {
      const parsed: unknown = JSON.parse(input);
      if (isRecord(parsed)) return parsed;
    } catch {
      return { input };
    }
  }
  return { input };
}

function shellOf(tool: string, fields: Readonly<Record<string, unknown>>): string | undefined {
  const key = Object.keys(fields).find((name) => COMMAND_KEY.test(name));
  const value = key === undefined ? recordCommand(fields.action) : fields[key];
  // The command of an editor is a verb: view, create, insert.
  if (!SHELL_TOOL.test(tool) && (key === undefined || Object.keys(fields).some((name) => PATH_KEY.test(name)))) {
    return undefined;
  }
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (!Array.isArray(value)) return undefined;
  const words = value.filter((word) => typeof word === "string");
  const wraps = words.length === 3 && /^-\w*c$/.test(words[1] ?? "");
  return wraps ? words[2] : words.join(" ") || undefined;
}

function recordCommand(action: unknown): unknown {
  return isRecord(action) ? action.command : undefined;
}

function pathTouches(tool: string, fields: Readonly<Record<string, unknown>>): readonly FileTouch[] {
  const action = actionOf(tool, fields);
  if (action === undefined) return [];
  return Object.entries(fields).flatMap(([key, value]) => {
    if (!PATH_KEY.test(key) && !/^(paths|files|file_paths)$/i.test(key)) return [];
    const paths = Array.isArray(value) ? value.slice(0, 20) : [value];
    return paths.flatMap((path) => (typeof path === "string" && isPath(path) ? [{ path, action }] : []));
  });
}

function actionOf(tool: string, fields: Readonly<Record<string, unknown>>): FileAction | undefined {
  if (/grep|glob|search|find|list|^ls$|tree/.test(tool)) return undefined;
  const verb = typeof fields.command === "string" && fields.command.length < 20 ? fields.command : "";
  if (/delete|remove/.test(tool)) return "deleted";
  if (/strreplace|texteditor/.test(tool) && verb !== "") {
    if (verb === "view") return "read";
    return verb === "create" ? "written" : "edited";
  }
  if (/edit|replace|patch|insert|update|applydiff/.test(tool)) return "edited";
  if (/write|create|save/.test(tool)) return "written";
  return /read|view|open|cat|load|image|fetch/.test(tool) ? "read" : undefined;
}

function isPath(text: string): boolean {
  return text.length > 1 && text.length <= 300 && !/[\n*?<>|]|^https?:/.test(text);
}

/** Collects all texts below a value. The key above a text decides its use. */
function collectTexts(
  value: unknown,
  key: string,
  isShell: boolean,
  into: { text: string; place: Place }[],
  depth: number,
): void {
  if (into.length >= MAX_TEXTS || depth > MAX_DEPTH) return;
  if (typeof value === "string") into.push({ text: value, place: placeOf(key, isShell) });
  else if (Array.isArray(value)) for (const one of value) collectTexts(one, key, isShell, into, depth + 1);
  else if (isRecord(value)) {
    const inBody = BODY_KEY.test(key);
    for (const [name, one] of Object.entries(value)) collectTexts(one, inBody ? key : name, isShell, into, depth + 1);
  }
}

function placeOf(key: string, isShell: boolean): Place {
  if (PATH_KEY.test(key) || DIRECTORY_KEY.test(key)) return "path";
  if (isShell && COMMAND_KEY.test(key)) return "command";
  return BODY_KEY.test(key) ? "body" : "argument";
}

export interface TodoItem {
  readonly id?: string;
  readonly text: string;
  readonly status: TodoStatus;
}

/** Change to the list of a to-do tool. */
export type TodoUpdate =
  | { readonly type: "replace"; readonly items: readonly TodoItem[] }
  | { readonly type: "tasks"; readonly items: readonly TodoItem[] }
  | { readonly type: "add"; readonly item: TodoItem }
  | { readonly type: "change"; readonly id: string; readonly status?: TodoStatus; readonly remove?: boolean };

const MAX_ITEMS = 50;

/** Reads TodoWrite, todowrite, write_todos, update_plan, TaskCreate, TaskUpdate and their like. */
function readTodos(tool: string, fields: Readonly<Record<string, unknown>>): TodoUpdate | undefined {
  if (tool === "taskcreate") {
    const text = firstText(fields.subject, fields.title, fields.description);
    return text === undefined ? undefined : { type: "add", item: { text, status: "pending" } };
  }
  if (tool === "taskupdate") {
    const id = fields.taskId ?? fields.task_id ?? fields.id;
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    if (fields.status === "deleted") return { type: "change", id: String(id), remove: true };
    const status = fields.status === undefined ? undefined : statusOf(fields.status);
    return { type: "change", id: String(id), ...(status === undefined ? {} : { status }) };
  }
  if (!/todo|plan|checklist|tasklist/.test(tool)) return undefined;
  const list = [fields.todos, fields.plan, fields.items, fields.tasks].find(Array.isArray);
  if (list === undefined) return undefined;
  return { type: "replace", items: list.slice(0, MAX_ITEMS).flatMap(readItem) };
}

const TASK_LIST = /(?:^|__)task_?list$/i;
const TASK = /^#(\d{1,6}) \[(\w{1,20})\] (.{1,1000})$/gm;

/**
 * Reads the tasks that the result of TaskList shows. Sub-agents change them too, so it is more current than the calls.
 */
export function readTaskList(toolName: string, result: string): TodoUpdate | undefined {
  if (!TASK_LIST.test(toolName)) return undefined;
  const items = [...result.matchAll(TASK)].slice(0, MAX_ITEMS).map(
    ([, id = "", status, text = ""]): TodoItem => ({
      id,
      text: oneLine(text, LIMITS.todo),
      status: statusOf(status),
    }),
  );
  return items.length === 0 ? undefined : { type: "tasks", items: items.sort((a, b) => Number(a.id) - Number(b.id)) };
}

const BOX = /^[ \t]{0,12}[-*+] \[([ xX~])\] (.{1,1000})$/gm;

/** The check boxes of a text: `- [ ]` and `- [x]`. */
export function readCheckBoxes(text: string): readonly TodoItem[] {
  if (!text.includes("] ")) return [];
  return [...text.slice(0, 50_000).matchAll(BOX)].slice(0, MAX_ITEMS).map(([, mark = " ", item = ""]) => ({
    text: oneLine(item, LIMITS.todo),
    status: mark === " " ? "pending" : mark === "~" ? "in_progress" : "completed",
  }));
}

function readItem(item: unknown): readonly TodoItem[] {
  if (typeof item === "string") return [{ text: oneLine(item, LIMITS.todo), status: "pending" }];
  if (!isRecord(item)) return [];
  const text = firstText(item.content, item.step, item.description, item.text, item.title, item.subject);
  if (text === undefined) return [];
  const id = typeof item.id === "string" ? { id: item.id.slice(0, LIMITS.todoId) } : {};
  return [{ ...id, text, status: statusOf(item.status) }];
}

function firstText(...values: readonly unknown[]): string | undefined {
  const text = values.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof text === "string" ? oneLine(text, LIMITS.todo) : undefined;
}

function statusOf(status: unknown): TodoStatus {
  if (typeof status !== "string") return "pending";
  if (/^(completed?|done|cancell?ed|finished)$/i.test(status)) return "completed";
  return /progress|active|doing/i.test(status) ? "in_progress" : "pending";
}
