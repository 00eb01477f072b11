import { isRecord } from "../../internal/json.ts";
import { oneLine } from "../../internal/text.ts";
import type { TodoStatus } from "../ledger.ts";
import { LIMITS } from "../ledger-limits.ts";

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
export function readTodos(tool: string, fields: Readonly<Record<string, unknown>>): TodoUpdate | undefined {
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
