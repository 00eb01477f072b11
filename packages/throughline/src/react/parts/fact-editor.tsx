import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { FactEdit } from "../../chat/book/fact-book.ts";
import type { FactCategory } from "../../ports/memory.ts";
import type { OpenEdit } from "./open-edits.ts";

export interface FactEditorActions {
  write(id: string, change: FactEdit): void;
  save(id: string): void;
  cancel(id: string): void;
  /** The focus went elsewhere. */
  leave(id: string): void;
  expand(id: string): void;
  /** Whether the editor shall have the focus now. */
  takeFocus(id: string): boolean;
}

export interface FactEditorClassNames {
  readonly form?: string | undefined;
  readonly text?: string | undefined;
  readonly row?: string | undefined;
  readonly category?: string | undefined;
  readonly save?: string | undefined;
  readonly cancel?: string | undefined;
  readonly notice?: string | undefined;
}

export interface FactEditorProps {
  readonly edit: OpenEdit;
  readonly actions: FactEditorActions;
  readonly categories: readonly { readonly value: FactCategory; readonly label: string }[];
  /** What happened to the fact elsewhere in the meantime. */
  readonly notice?: string | undefined;
  readonly classNames?: FactEditorClassNames | undefined;
}

/**
 * Edits one fact. In a line Enter saves and Shift+Enter expands; expanded there is a category, and Ctrl or Cmd with
 * Enter saves. Escape cancels in both.
 */
export function FactEditor({ edit, actions, categories, notice, classNames = {} }: FactEditorProps): ReactNode {
  const { id } = edit.fact;
  const isFull = edit.mode === "full";
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another mode asks for the focus again
  useEffect(() => {
    if (!field.current || !actions.takeFocus(id)) return;
    field.current.focus();
    field.current.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [id, edit.mode, actions]);
  const said = edit.problem ?? notice;

  return (
    <form
      className={classNames.form}
      data-mode={edit.mode}
      aria-busy={edit.isSaving}
      onSubmit={(event) => {
        event.preventDefault();
        actions.save(id);
      }}
      onBlur={(event) => leavesCard(event) && actions.leave(id)}
      onKeyDown={(event) => onEditorKey(event, edit, actions)}
    >
      <textarea
        ref={field}
        data-fact-focus=""
        aria-label="Edit memory"
        aria-invalid={edit.problem !== undefined}
        rows={isFull ? 3 : 1}
        readOnly={edit.isSaving}
        className={classNames.text}
        value={edit.text}
        onChange={(event) => actions.write(id, { text: event.target.value })}
      />
      {said !== undefined && (
        <p role="alert" data-problem={edit.problem !== undefined} className={classNames.notice}>
          {said}
        </p>
      )}
      <EditorRow edit={edit} actions={actions} categories={categories} classNames={classNames} />
    </form>
  );
}

function EditorRow({ edit, actions, categories, classNames = {} }: FactEditorProps): ReactNode {
  const { id } = edit.fact;
  return (
    <div className={classNames.row}>
      {edit.mode === "full" && (
        <select
          aria-label="Category"
          className={classNames.category}
          value={edit.category}
          onChange={(event) => actions.write(id, { category: event.target.value as FactCategory })}
        >
          {categories.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      <button type="button" className={classNames.cancel} onClick={() => actions.cancel(id)}>
        Cancel
      </button>
      <button type="submit" className={classNames.save} disabled={edit.isSaving}>
        Save
      </button>
    </div>
  );
}

function onEditorKey(event: KeyboardEvent, { fact: { id }, mode }: OpenEdit, actions: FactEditorActions): void {
  const act = editorAction(event, mode);
  if (!act) return;
  event.preventDefault();
  // The key is used up: a dialog around it does not close.
  event.stopPropagation();
  actions[act](id);
}

function editorAction(event: KeyboardEvent, mode: OpenEdit["mode"]): "cancel" | "save" | "expand" | undefined {
  // Enter and Escape belong to an input method while it composes.
  if (event.nativeEvent.isComposing) return undefined;
  if (event.key === "Escape") return "cancel";
  if (event.key !== "Enter" || !(event.target instanceof HTMLTextAreaElement)) return undefined;
  if (mode === "line") return event.shiftKey ? "expand" : "save";
  return event.ctrlKey || event.metaKey ? "save" : undefined;
}

function leavesCard({ currentTarget, target, relatedTarget }: FocusEvent): boolean {
  // It was the window that lost the focus.
  if (document.activeElement === target) return false;
  const card = currentTarget.closest("[data-fact-id]") ?? currentTarget;
  return !(relatedTarget instanceof Node && card.contains(relatedTarget));
}
