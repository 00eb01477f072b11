import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { FactEdit } from "../../chat/fact-book/fact-book.ts";
import type { FactCategory } from "../../ports/memory.ts";
import type { OpenEdit } from "./open-edits.ts";

/** Actions of an editor. `OpenEdits` has most of them. */
export interface FactEditorActions {
  /**
   * Changes the unsaved text or category.
   *
   * @param id Id of the fact.
   * @param change New text or category.
   */
  write(id: string, change: FactEdit): void;
  /**
   * Saves the edit.
   *
   * @param id Id of the fact.
   */
  save(id: string): void;
  /**
   * Closes the editor and discards the edit.
   *
   * @param id Id of the fact.
   */
  cancel(id: string): void;
  /**
   * Called when the focus leaves the card.
   *
   * @param id Id of the fact.
   */
  leave(id: string): void;
  /**
   * Changes from the text field to the full editor.
   *
   * @param id Id of the fact.
   */
  expand(id: string): void;
  /**
   * Returns whether the editor should take the focus now.
   *
   * @param id Id of the fact.
   */
  takeFocus(id: string): boolean;
}

/** Class names of the elements of an editor. */
export interface FactEditorClassNames {
  readonly form?: string | undefined;
  readonly text?: string | undefined;
  readonly row?: string | undefined;
  /** The group of radio buttons, each in a label. */
  readonly category?: string | undefined;
  readonly save?: string | undefined;
  readonly cancel?: string | undefined;
  /** Message below the field, e.g. from `explainMeanwhile`. The error of a failed save replaces it. */
  readonly notice?: string | undefined;
}

/** Props of `FactEditor`. */
export interface FactEditorProps {
  /** The open edit. */
  readonly edit: OpenEdit;
  /** Actions of the editor. */
  readonly actions: FactEditorActions;
  /** Categories to choose from. */
  readonly categories: readonly { readonly value: FactCategory; readonly label: string }[];
  /** Change of the fact elsewhere in the meantime. */
  readonly notice?: string | undefined;
  /** Class names of the elements. */
  readonly classNames?: FactEditorClassNames | undefined;
}

/**
 * Editor of one fact. In `line` mode Enter saves and Shift+Enter opens the full editor; in `full` mode there is a
 * category, and Ctrl+Enter or Cmd+Enter saves. Escape cancels.
 *
 * @param props The edit, actions, categories and look. `FactCard` renders it for you.
 *
 * @example
 * const categories = [{ value: "project" as const, label: "Project" }];
 * const editors = [...edits.getSnapshot().values()].map((edit) => (
 *   <FactEditor key={edit.fact.id} edit={edit} actions={actions} categories={categories} />
 * ));
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
      onBlur={(event) => isFocusLeavingCard(event) && actions.leave(id)}
      onKeyDown={(event) => onEditorKey(event, edit, actions)}
    >
      <textarea
        ref={field}
        data-fact-focus=""
        dir="auto"
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
        <div role="radiogroup" aria-label="Category" className={classNames.category}>
          {categories.map(({ value, label }) => (
            <label key={value}>
              <input
                type="radio"
                name={`category-${id}`}
                checked={edit.category === value}
                onChange={() => actions.write(id, { category: value })}
              />
              {label}
            </label>
          ))}
        </div>
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

function isFocusLeavingCard({ currentTarget, target, relatedTarget }: FocusEvent): boolean {
  // The browser window lost the focus.
  if (document.activeElement === target) return false;
  const card = currentTarget.closest("[data-fact-id]") ?? currentTarget;
  return !(relatedTarget instanceof Node && card.contains(relatedTarget));
}
