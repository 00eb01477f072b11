import { type KeyboardEvent, useRef, useState } from "react";
import { frameCopy } from "../../copy/frame.ts";
import styles from "./rename-field.module.css";

export interface RenameFieldProps {
  readonly title: string;
  /** Called once with the new title, or with `undefined` if it stays. */
  readonly onDone: (title: string | undefined) => void;
}

/** A title in a field. Enter or leaving it saves, Escape leaves it as it was. */
export function RenameField({ title, onDone }: RenameFieldProps) {
  const [text, setText] = useState(title);
  const isOver = useRef(false);
  // A browser may fire `blur` when the field is removed.
  const done = (next: string | undefined) => {
    if (!isOver.current) onDone(next);
    isOver.current = true;
  };
  const finish = () => {
    const next = text.trim();
    done(next === "" || next === title ? undefined : next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape") done(undefined);
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) finish();
  };
  return (
    <input
      className={styles.field}
      dir="auto"
      aria-label={frameCopy.row.title}
      value={text}
      maxLength={200}
      // biome-ignore lint/a11y/noAutofocus: the person just asked to rename it
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={finish}
    />
  );
}
