import { Popover } from "@base-ui/react/popover";
import { CircleQuestionMark } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { keptShortcut } from "./kept-shortcut.ts";
import styles from "./keys-popover.module.css";
import { showShortcut } from "./shortcut.ts";
import { ShortcutField } from "./shortcut-field.tsx";

export interface KeysPopoverProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

const mod = showShortcut("Mod");
const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["↑ ↓", "Move between cards"],
  ["Enter", "Edit, save"],
  ["Shift+Enter", "Expand"],
  ["P", "Pin or unpin"],
  ["Del", "Delete"],
  [showShortcut("Mod+Z"), "Undo"],
  [`${mod === "⌘" ? "⌘" : "Ctrl+"}Enter`, "Save when expanded"],
  ["/", "Remember something"],
  ["Esc", "Close"],
  ["?", "Show shortcuts"],
];

/** The keys of the panel, and the one that opens it, which can be changed. */
export function KeysPopover({ isOpen, onOpenChange }: KeysPopoverProps) {
  const shortcut = useSnapshot(keptShortcut);
  // Not the field: it would take the next keys for its own.
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger
        render={<IconButton label="Keyboard shortcuts" keys="?" icon={<CircleQuestionMark aria-hidden />} />}
      />
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner} sideOffset={4} align="end" collisionPadding={8}>
          <Popover.Popup ref={popup} initialFocus={popup} className={styles.popup}>
            <Popover.Title className={styles.title}>Keyboard shortcuts</Popover.Title>
            <dl className={styles.keys}>
              {KEYS.map(([keys, what]) => (
                <div key={keys} className={styles.line}>
                  <dt>{what}</dt>
                  <dd>
                    <kbd className={styles.key}>{keys}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
            <ShortcutField shortcut={shortcut} onChange={keptShortcut.keep} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
