import { type KeyboardEvent, useId, useState } from "react";
import { panelCopy } from "../../copy/panel.ts";
import { Button } from "../../ui/controls/button.tsx";
import { DEFAULT_SHORTCUT, readShortcut, showShortcut } from "../shortcut.ts";
import styles from "./shortcut-list.module.css";

/** Keys for display, and their action. */
export type KeyLine = readonly [keys: string, action: string];

const mod = showShortcut("Mod") === "⌘" ? "⌘" : "Ctrl+";
const { keys: keysCopy } = panelCopy;

export const PANEL_KEYS: readonly KeyLine[] = [
  ["↑ ↓", keysCopy.move],
  ["Enter", keysCopy.edit],
  ["Shift+Enter", keysCopy.expand],
  ["P", keysCopy.pin],
  ["Del", keysCopy.delete],
  [showShortcut("Mod+Z"), keysCopy.undo],
  [`${mod}Enter`, keysCopy.saveExpanded],
  ["/", keysCopy.remember],
  ["Esc", keysCopy.close],
  ["?", keysCopy.help],
];

export function KeyList({ keys: lines }: { readonly keys: readonly KeyLine[] }) {
  return (
    <dl className={styles.keys}>
      {lines.map(([pressed, action]) => (
        <div key={action} className={styles.line}>
          <dt>{action}</dt>
          <dd>
            <kbd className={styles.key}>{pressed}</kbd>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ShortcutFieldProps {
  readonly shortcut: string;
  readonly onChange: (shortcut: string) => void;
}

/** Shows the shortcut that opens the panel. Pressing other keys in the field replaces it. */
export function ShortcutField({ shortcut, onChange }: ShortcutFieldProps) {
  const id = useId();
  const [isListening, setIsListening] = useState(false);
  const [hint, setHint] = useState("");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Tab" || event.key === "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    const pressed = readShortcut(event.nativeEvent);
    setHint(pressed ? keysCopy.set(showShortcut(pressed)) : keysCopy.needsModifier);
    if (pressed) onChange(pressed);
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{keysCopy.openPanel}</label>
      <input
        id={id}
        readOnly
        className={styles.input}
        value={isListening && hint === "" ? keysCopy.pressKeys : showShortcut(shortcut)}
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
          {keysCopy.reset}
        </Button>
      )}
    </div>
  );
}
