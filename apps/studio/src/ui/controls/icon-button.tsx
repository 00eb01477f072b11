import { Tooltip as BaseTooltip } from "@base-ui/react/tooltip";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./icon-button.module.css";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children" | "aria-label"> {
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

/** All buttons share one tooltip, because a long list of messages would otherwise contain hundreds. */
const shared = BaseTooltip.createHandle<string>();

/** Marks a button as one that has the shared tooltip. */
const TooltipTrigger = BaseTooltip.Trigger<string>;
const tooltip = shared;

/** Container of the shared tooltip, once per page. Without it, buttons work and show no tooltip. */
export function TooltipHost() {
  return (
    <BaseTooltip.Provider delay={400}>
      <BaseTooltip.Root handle={shared}>
        {({ payload }) => (
          <BaseTooltip.Portal>
            <BaseTooltip.Positioner sideOffset={6} className={styles.positioner}>
              {/* The tooltip repeats the label of the button, so screen readers skip it. */}
              <BaseTooltip.Popup aria-hidden className={styles.popup}>
                {payload}
              </BaseTooltip.Popup>
            </BaseTooltip.Positioner>
          </BaseTooltip.Portal>
        )}
      </BaseTooltip.Root>
    </BaseTooltip.Provider>
  );
}
