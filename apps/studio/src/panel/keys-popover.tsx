import { Popover } from "@base-ui/react/popover";
import { CircleQuestionMark } from "lucide-react";
import { useRef } from "react";
import { panelCopy } from "../copy/panel.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { KeyList, PANEL_KEYS } from "./key-list.tsx";
import styles from "./keys-popover.module.css";
import { savedShortcut } from "./saved-shortcut.ts";
import { ShortcutField } from "./shortcut-field.tsx";

export interface KeysPopoverProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** The keys of the panel, and the one that opens it, which can be changed. */
export function KeysPopover({ isOpen, onOpenChange }: KeysPopoverProps) {
  const shortcut = useSnapshot(savedShortcut);
  // Not the field: it would take the next keys for its own.
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger
        render={<IconButton label={panelCopy.keys.title} keys="?" icon={<CircleQuestionMark aria-hidden />} />}
      />
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner} sideOffset={4} align="end" collisionPadding={8}>
          <Popover.Popup ref={popup} initialFocus={popup} className={styles.popup}>
            <Popover.Title className={styles.title}>{panelCopy.keys.title}</Popover.Title>
            <KeyList keys={PANEL_KEYS} />
            <ShortcutField shortcut={shortcut} onChange={savedShortcut.save} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
