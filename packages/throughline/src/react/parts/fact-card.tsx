import { type MouseEvent, memo, type NamedExoticComponent, type ReactNode, useRef } from "react";
import type { MemoryFact } from "../../chat/memory-fact.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { ConfidenceBar } from "./confidence-bar.tsx";
import { FactEditor, type FactEditorActions, type FactEditorClassNames } from "./fact-editor.tsx";
import type { EditMode, OpenEdit } from "./open-edits.ts";
import { SavedMark } from "./saved-mark.tsx";

/** What can be done with a card. The same object for all cards, so that only cards that change are drawn anew. */
export interface FactCardActions extends FactEditorActions {
  edit(fact: MemoryFact, mode: EditMode): void;
  pin(fact: MemoryFact): void;
  remove(fact: MemoryFact): void;
  /** Ticks or unticks, or ticks all up to this one. */
  select(fact: MemoryFact, isRange: boolean): void;
}

export interface FactCardClassNames {
  readonly card?: string | undefined;
  readonly pulse?: string | undefined;
  readonly savedWord?: string | undefined;
  readonly check?: string | undefined;
  readonly icon?: string | undefined;
  readonly text?: string | undefined;
  readonly meta?: string | undefined;
  readonly category?: string | undefined;
  readonly bar?: string | undefined;
  readonly fill?: string | undefined;
  readonly actions?: string | undefined;
  readonly action?: string | undefined;
  readonly editor?: FactEditorClassNames | undefined;
}

/** What is shown of a card beside its words. The same object for all cards of a list. */
export interface FactCardLook {
  readonly categories: Readonly<Record<FactCategory, { readonly label: string; readonly icon: ReactNode }>>;
  readonly icons: Readonly<Record<"pin" | "unpin" | "expand" | "remove", ReactNode>>;
  /** Where a fact came from; what can have the focus there takes this place in the tab order. */
  readonly source?: ((fact: MemoryFact, tabIndex: 0 | -1) => ReactNode) | undefined;
  readonly classNames?: FactCardClassNames | undefined;
}

export interface FactCardProps {
  readonly fact: MemoryFact;
  readonly look: FactCardLook;
  readonly actions: FactCardActions;
  /** Whether it has the list's place in the tab order. */
  readonly isActive: boolean;
  readonly edit?: OpenEdit | undefined;
  readonly notice?: string | undefined;
  readonly savedAt?: number | undefined;
  /** Left out where cards cannot be ticked. */
  readonly isSelected?: boolean | undefined;
}

/** One fact as a card: a click edits it in place, a double click expands it. */
export const FactCard: NamedExoticComponent<FactCardProps> = memo(function FactCard(props: FactCardProps): ReactNode {
  const { fact, look, actions, edit, isSelected, savedAt, isActive } = props;
  const { classNames = {}, categories } = look;
  const opened = useRef(false);
  const onClick = () => {
    opened.current = true;
    actions.edit(fact, "line");
  };
  // The second click of a double click lands in the field that the first one opened.
  const onDoubleClick = () => {
    if (opened.current && isSelected === undefined) actions.edit(fact, "full");
  };
  const onMouseDown = (event: MouseEvent) => {
    if (event.detail === 1) opened.current = false;
  };

  return (
    <li
      className={classNames.card}
      data-fact-id={fact.id}
      data-category={fact.category}
      data-pinned={fact.pinned}
      data-editing={edit?.mode}
      data-selected={isSelected}
      onMouseDown={onMouseDown}
      onDoubleClick={onDoubleClick}
    >
      {savedAt !== undefined && (
        <SavedMark key={savedAt} savedAt={savedAt} className={classNames.pulse} wordClassName={classNames.savedWord} />
      )}
      <span aria-hidden="true" className={classNames.icon}>
        {categories[fact.category].icon}
      </span>
      <CardText {...props} onClick={onClick} />
      {edit?.mode !== "full" && (
        <div className={classNames.meta}>
          <span className={classNames.category}>{categories[fact.category].label}</span>
          <ConfidenceBar confidence={fact.confidence} className={classNames.bar} fillClassName={classNames.fill} />
          {look.source?.(fact, isActive && isSelected === undefined ? 0 : -1)}
        </div>
      )}
      {edit === undefined && isSelected === undefined && <CardActions {...props} />}
    </li>
  );
});

function CardText({ onClick, ...props }: FactCardProps & { readonly onClick: () => void }): ReactNode {
  const { fact, look, actions, edit, isSelected, isActive, notice } = props;
  const { classNames = {}, categories } = look;
  const tabIndex = isActive ? 0 : -1;
  if (isSelected !== undefined) {
    return (
      <label className={classNames.text}>
        <input
          type="checkbox"
          data-fact-focus=""
          tabIndex={tabIndex}
          className={classNames.check}
          checked={isSelected}
          onChange={({ nativeEvent }) =>
            actions.select(fact, "shiftKey" in nativeEvent && nativeEvent.shiftKey === true)
          }
        />
        {fact.fact}
      </label>
    );
  }
  if (edit) {
    const choices = Object.entries(categories).map(([value, { label }]) => ({ value: value as FactCategory, label }));
    return (
      <FactEditor edit={edit} actions={actions} categories={choices} notice={notice} classNames={classNames.editor} />
    );
  }
  return (
    <button
      type="button"
      data-fact-focus=""
      tabIndex={tabIndex}
      className={classNames.text}
      aria-keyshortcuts="Enter Shift+Enter P Delete"
      onClick={onClick}
    >
      {fact.fact}
    </button>
  );
}

function CardActions({ fact, look, actions, isActive }: FactCardProps): ReactNode {
  const { icons, classNames = {} } = look;
  const common = { type: "button", tabIndex: isActive ? 0 : -1, className: classNames.action } as const;
  const pin = fact.pinned ? "Unpin" : "Pin";
  return (
    <div className={classNames.actions}>
      <button
        {...common}
        data-action="pin"
        aria-label={`${pin}: ${fact.fact}`}
        title={pin}
        onClick={() => actions.pin(fact)}
      >
        {fact.pinned ? icons.unpin : icons.pin}
      </button>
      <button
        {...common}
        data-action="expand"
        aria-label={`Expand: ${fact.fact}`}
        title="Expand"
        onClick={() => actions.edit(fact, "full")}
      >
        {icons.expand}
      </button>
      <button
        {...common}
        data-action="remove"
        aria-label={`Delete: ${fact.fact}`}
        title="Delete"
        onClick={() => actions.remove(fact)}
      >
        {icons.remove}
      </button>
    </div>
  );
}
