import { type KeyboardEvent, useId, useState } from "react";
import { panelCopy } from "../copy/panel.ts";
import { Button } from "../ui/button.tsx";
import styles from "./keys-popover.module.css";
import { DEFAULT_SHORTCUT, readShortcut, showShortcut } from "./shortcut.ts";

const { keys } = panelCopy;

export interface ShortcutFieldProps {
  readonly shortcut: string;
  readonly onChange: (shortcut: string) => void;
}

/** Shows the keys that open the panel; the next ones that are pressed in it take their place. */
export function ShortcutField({ shortcut, onChange }: ShortcutFieldProps) {
  const id = useId();
  const [isListening, setIsListening] = useState(false);
  const [hint, setHint] = useState("");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Tab" || event.key === "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    const pressed = readShortcut(event.nativeEvent);
    setHint(pressed ? keys.set(showShortcut(pressed)) : keys.needsModifier);
    if (pressed) onChange(pressed);
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{keys.openPanel}</label>
      <input
        id={id}
        readOnly
        className={styles.input}
        value={isListening && hint === "" ? keys.pressKeys : showShortcut(shortcut)}
        aria-describedby={`${id}-hint`}
        onKeyDown={onKeyDown}
        onFocus={() => setIsListening(true)}
        onBlur={() => {
          setIsListening(false);
          setHint("");
        }}
      />
      <p id={`${id}-hint`} role="status" className={styles.hint}>
        {hint}
      </p>
      {shortcut !== DEFAULT_SHORTCUT && (
        <Button kind="link" onClick={() => onChange(DEFAULT_SHORTCUT)}>
          {keys.reset}
        </Button>
      )}
    </div>
  );
}
