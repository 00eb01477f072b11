import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import styles from "./icon-button.module.css";
import { TooltipTrigger, tooltip } from "./overlays/tooltip.tsx";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children" | "aria-label"> {
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  /** Shown behind the label in the tooltip: the key that does the same. */
  readonly keys?: string;
  readonly size?: "small" | "medium";
}

export function IconButton({ label, icon, keys, size = "medium", className, ...rest }: IconButtonProps) {
  return (
    <TooltipTrigger
      handle={tooltip}
      payload={keys === undefined ? label : `${label} (${keys})`}
      render={<button {...rest} type="button" />}
      aria-label={label}
      className={classNames(styles.iconButton, styles[size], className)}
    >
      {icon}
    </TooltipTrigger>
  );
}
