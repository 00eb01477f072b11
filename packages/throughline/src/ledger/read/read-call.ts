import { isRecord } from "../../internal/json.ts";
import { Lru } from "../../internal/lru.ts";
import type { ToolCallPart } from "../../message/part.ts";
import type { FileAction } from "../ledger.ts";
import type { Place } from "../ledger-names.ts";
import { readAddedLines } from "./code-changes.ts";
import { type FileTouch, readPatch } from "./read-patch.ts";
import { readShell, type ShellFacts } from "./read-shell.ts";
import { readTodos, type TodoUpdate } from "./read-todos.ts";

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
