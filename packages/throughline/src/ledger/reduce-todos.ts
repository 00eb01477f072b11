import type { Ledger, LedgerTodo } from "./ledger.ts";
import { keepBounded, LIMITS } from "./ledger-limits.ts";
import type { TodoItem, TodoUpdate } from "./read/read-todos.ts";

/** Updates the to-dos with the input of a to-do tool. */
export function noteTodos(ledger: Ledger, update: TodoUpdate, at: number): Ledger {
  return { ...ledger, todos: keepBounded(updated(ledger.todos, update, at), LIMITS.todos) };
}

/** Updates the to-dos with the check boxes of a text. */
export function noteCheckBoxes(ledger: Ledger, items: readonly TodoItem[], at: number): Ledger {
  if (items.length === 0) return ledger;
  const texts = new Set(items.map(({ text }) => text));
  const others = ledger.todos.filter(({ list, text }) => list !== "text" || !texts.has(text));
  const boxes = items.map((item): LedgerTodo => ({ ...item, list: "text", at }));
  return { ...ledger, todos: keepBounded([...others, ...boxes], LIMITS.todos) };
}

function updated(todos: readonly LedgerTodo[], update: TodoUpdate, at: number): readonly LedgerTodo[] {
  switch (update.type) {
    case "replace":
    case "tasks": {
      const name = update.type === "tasks" ? "tasks" : "tool";
      return [
        ...todos.filter(({ list }) => list !== name),
        ...update.items.map((item): LedgerTodo => ({ ...item, list: name, at })),
      ];
    }
    case "add": {
      // Task tools count from 1, and only their result has the number.
      const last = todos.findLast(({ list }) => list === "tasks");
      const id = update.item.id ?? String(Number(last?.id ?? 0) + 1);
      return [...todos, { ...update.item, id, list: "tasks", at }];
    }
    case "change":
      return todos.flatMap((todo) => {
        if (todo.list !== "tasks" || todo.id !== update.id) return [todo];
        return update.remove === true ? [] : [{ ...todo, status: update.status ?? todo.status, at }];
      });
  }
}
