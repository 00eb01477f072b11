import { type MouseEvent, memo, type NamedExoticComponent, type ReactNode, useEffect, useRef, useState } from "react";
import type { MemoryFact } from "../../chat/memory-fact.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { FactEditor, type FactEditorActions, type FactEditorClassNames } from "./fact-editor.tsx";
import { showFact } from "./format-memories.ts";
import type { EditMode, OpenEdit } from "./open-edits.ts";

/** Actions of the cards of a list. Use one object for all cards, so that only changed cards render again. */
export interface FactCardActions extends FactEditorActions {
  /**
   * Opens the editor of a fact.
   *
   * @param fact The fact.
   * @param mode `line` for its text only, `full` also for its category.
   */
  edit(fact: MemoryFact, mode: EditMode): void;
  /**
   * Pins a fact, or unpins it if it is pinned.
   *
   * @param fact The fact.
   */
  pin(fact: MemoryFact): void;
  /**
   * Deletes a fact.
   *
   * @param fact The fact.
   */
  remove(fact: MemoryFact): void;
  /**
   * Selects a fact, or unselects it if it is selected.
   *
   * @param fact The fact.
   * @param isRange True if Shift was held: select all facts up to this one.
   */
  select(fact: MemoryFact, isRange: boolean): void;
}

/** Class names of the elements of a card. */
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

/** Labels, icons and class names of the cards. Use one object for all cards of a list. */
export interface FactCardLook {
  /** Label and icon of each category. */
  readonly categories: Readonly<Record<FactCategory, { readonly label: string; readonly icon: ReactNode }>>;
  /** Icons of the buttons. */
  readonly icons: Readonly<Record<"pin" | "unpin" | "expand" | "remove", ReactNode>>;
  /** Renders the source of a fact. Give its focusable elements the passed `tabIndex`. */
  readonly source?: ((fact: MemoryFact, tabIndex: 0 | -1) => ReactNode) | undefined;
  /** Explains the confidence of a fact, on hover and for screen readers. Default: "Confidence 75%". */
  readonly confidence?: ((fact: MemoryFact) => string) | undefined;
  /** Class names of the elements. */
  readonly classNames?: FactCardClassNames | undefined;
}

/** Props of `FactCard`. */
export interface FactCardProps {
  /** The fact. */
  readonly fact: MemoryFact;
  /** Labels, icons and class names. */
  readonly look: FactCardLook;
  /** Actions, such as pin and delete. */
  readonly actions: FactCardActions;
  /** True if this card is the one in the tab order of its list. */
  readonly isActive: boolean;
  /** The open edit of the fact. Without it the card shows the text. */
  readonly edit?: OpenEdit | undefined;
  /** Message in the editor, e.g. from `explainMeanwhile`. */
  readonly notice?: string | undefined;
  /** Time at which the fact was just saved, in milliseconds since 1970. */
  readonly savedAt?: number | undefined;
  /** True if the fact is selected; `undefined` if facts cannot be selected now. */
  readonly isSelected?: boolean | undefined;
}

/**
 * Card of one fact. A click edits the text in place, a double click opens the full editor.
 *
 * @example
 * const cards = facts.map((fact) => <FactCard key={fact.id} fact={fact} look={look} actions={actions} isActive={false}
 * />);
 */
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
          <ConfidenceBar
            confidence={fact.confidence}
            label={look.confidence?.(fact)}
            className={classNames.bar}
            fillClassName={classNames.fill}
          />
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
      <label dir="auto" className={classNames.text}>
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
        {showFact(fact.fact)}
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
      dir="auto"
      tabIndex={tabIndex}
      className={classNames.text}
      aria-keyshortcuts="Enter Shift+Enter P Delete"
      onClick={onClick}
    >
      {showFact(fact.fact)}
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
        data-action="expand"
        aria-label={`Expand: ${showFact(fact.fact)}`}
        title="Expand"
        onClick={() => actions.edit(fact, "full")}
      >
        {icons.expand}
      </button>
      <button
        {...common}
        data-action="remove"
        aria-label={`Delete: ${showFact(fact.fact)}`}
        title="Delete"
        onClick={() => actions.remove(fact)}
      >
        {icons.remove}
      </button>
      <button
        {...common}
        data-action="pin"
        aria-label={`${pin}: ${showFact(fact.fact)}`}
        title={pin}
        onClick={() => actions.pin(fact)}
      >
        {fact.pinned ? icons.unpin : icons.pin}
      </button>
    </div>
  );
}

/** Props of `ConfidenceBar`. */
export interface ConfidenceBarProps {
  /** Confidence of the fact from 0 to 1; other values are clamped. */
  readonly confidence: number;
  /** Name of the bar, on hover and for screen readers. Default: "Confidence 75%". */
  readonly label?: string | undefined;
  /** Class name of the bar. */
  readonly className?: string | undefined;
  /** Class name of the filled part. */
  readonly fillClassName?: string | undefined;
}

/**
 * Bar that shows the confidence of a fact, with the same percentage for screen readers.
 *
 * @param props Confidence and class names.
 *
 * @example
 * const bars = facts.map(({ id, confidence }) => <ConfidenceBar key={id} confidence={confidence} />);
 */
export function ConfidenceBar({ confidence, label, className, fillClassName }: ConfidenceBarProps): ReactNode {
  const percent = Math.round(Math.min(1, Math.max(0, confidence)) * 100);
  const name = label ?? `Confidence ${percent}%`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be given the same look in every browser
    <span
      role="meter"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent}%`}
      title={name}
      className={className}
    >
      <span className={fillClassName} style={{ inlineSize: `${percent}%` }} />
    </span>
  );
}

/** Props of `SavedMark`. */
export interface SavedMarkProps {
  /** Time of saving in milliseconds since 1970. */
  readonly savedAt: number;
  /** Class name of the pulse. */
  readonly className?: string | undefined;
  /** Class name of the word "Saved", to show instead of the pulse if the user prefers reduced motion. */
  readonly wordClassName?: string | undefined;
}

/** As long as a person needs to read the word. */
const SHOWN_FOR = 1_600;

/**
 * Mark on a card that was just saved. It disappears after 1.6 seconds.
 *
 * @param props Time of saving and class names.
 *
 * @example
 * const { saved } = useMemoryFacts(book);
 * const mark = saved && <SavedMark key={saved.at} savedAt={saved.at} />;
 */
export function SavedMark({ savedAt, className, wordClassName }: SavedMarkProps): ReactNode {
  const [isOver, setIsOver] = useState(() => Date.now() - savedAt >= SHOWN_FOR);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), Math.max(0, savedAt + SHOWN_FOR - Date.now()));
    return () => clearTimeout(timer);
  }, [savedAt]);
  if (isOver) return null;
  return (
    <>
      <span data-saved-pulse="" aria-hidden="true" className={className} />
      <span data-saved-word="" className={wordClassName}>
        Saved
      </span>
    </>
  );
}
