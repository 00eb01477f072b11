import { Tooltip as BaseTooltip } from "@base-ui/react/tooltip";
import styles from "./tooltip.module.css";

/** All buttons share one tooltip: a list of many messages would else carry hundreds of them. */
const shared = BaseTooltip.createHandle<string>();

/** Marks a button as one that has the shared tooltip. */
export const TooltipTrigger = BaseTooltip.Trigger<string>;
export const tooltip = shared;

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
