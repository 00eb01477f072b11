import type { ReactNode } from "react";
import { classNames } from "../../../ui/class-names.ts";
import styles from "./sidebar-button.module.css";

export interface SidebarButtonProps {
  readonly icon: ReactNode;
  readonly label: string;
  readonly isCurrent?: boolean;
  readonly onClick: () => void;
}

/** A place or an action of the sidebar. */
export function SidebarButton({ icon, label, isCurrent = false, onClick }: SidebarButtonProps) {
  return (
    <button
      type="button"
      className={classNames(styles.button, isCurrent && styles.current)}
      aria-current={isCurrent ? "page" : undefined}
      onClick={onClick}
    >
      {icon} {label}
    </button>
  );
}
