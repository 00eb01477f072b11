import { Menu } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { frameCopy } from "../../copy/frame.ts";
import { classNames } from "../class-names.ts";
import styles from "./action-menu.module.css";

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  /** Keyboard shortcut, formatted for display. */
  readonly keys?: string;
  readonly isDisabled?: boolean;
  readonly isDanger?: boolean;
  /** A line above it. */
  readonly startsGroup?: boolean;
  readonly onSelect: () => void;
}

/** The actions of a menu, with its position. Requires a `Menu.Root` around it. */
export function MenuActions({ actions }: { readonly actions: readonly MenuAction[] }) {
  return (
    // Floating elements are landmarks with a name.
    <Menu.Portal render={<section aria-label={frameCopy.menu} />}>
      <Menu.Positioner className={styles.positioner} sideOffset={4} align="end">
        <Menu.Popup className={styles.popup}>
          {actions.map((action) => (
            <Menu.Item
              key={action.label}
              className={classNames(styles.item, action.isDanger && styles.danger, action.startsGroup && styles.group)}
              disabled={action.isDisabled ?? false}
              onClick={action.onSelect}
            >
              <span className={styles.icon}>{action.icon}</span>
              <span className={styles.label}>{action.label}</span>
              {action.keys !== undefined && <kbd className={styles.keys}>{action.keys}</kbd>}
            </Menu.Item>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  );
}
