import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { frameCopy } from "../../copy/frame.ts";
import { classNames } from "../class-names.ts";
import { IconButton } from "../controls/icon-button.tsx";
import styles from "./drawer.module.css";

const FOCUSABLE = "a[href], button:not(:disabled), input, select, textarea, [tabindex='0']";

export interface DrawerProps {
  readonly side: "left" | "right";
  readonly title: string;
  /** Content before the title. */
  readonly icon?: ReactNode;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** Content in the header of the drawer, before the close button. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A sheet over one side of the page. The focus moves in, and returns to its origin on closing. */
export function Drawer({ side, title, icon, isOpen, onOpenChange, actions, children }: DrawerProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={classNames(styles.drawer, styles[side])}
          // The title comes before the close button.
          initialFocus={() => body.current?.querySelector<HTMLElement>(FOCUSABLE) ?? body.current}
        >
          <header className={styles.head}>
            {icon}
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            {actions}
            <Dialog.Close render={<IconButton label={frameCopy.close} icon={<X aria-hidden />} />} />
          </header>
          <div ref={body} tabIndex={-1} className={styles.body}>
            {children}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
