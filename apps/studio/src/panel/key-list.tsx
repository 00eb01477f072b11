import { panelCopy } from "../copy/panel.ts";
import styles from "./keys-popover.module.css";
import { showShortcut } from "./shortcut.ts";

/** Keys as a person reads them, and what they do. */
export type KeyLine = readonly [keys: string, what: string];

const mod = showShortcut("Mod") === "⌘" ? "⌘" : "Ctrl+";
const { keys } = panelCopy;

export const PANEL_KEYS: readonly KeyLine[] = [
  ["↑ ↓", keys.move],
  ["Enter", keys.edit],
  ["Shift+Enter", keys.expand],
  ["P", keys.pin],
  ["Del", keys.delete],
  [showShortcut("Mod+Z"), keys.undo],
  [`${mod}Enter`, keys.saveExpanded],
  ["/", keys.remember],
  ["Esc", keys.close],
  ["?", keys.help],
];

export function KeyList({ keys: lines }: { readonly keys: readonly KeyLine[] }) {
  return (
    <dl className={styles.keys}>
      {lines.map(([pressed, what]) => (
        <div key={what} className={styles.line}>
          <dt>{what}</dt>
          <dd>
            <kbd className={styles.key}>{pressed}</kbd>
          </dd>
        </div>
      ))}
    </dl>
  );
}
