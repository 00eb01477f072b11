import { Tooltip as BaseTooltip } from "@base-ui/react/tooltip";
import styles from "./tooltip.module.css";

/** All buttons share one tooltip: a list of many messages would else carry hundreds of them. */
const shared = BaseTooltip.createHandle<string>();

/** Marks a button as one that has the shared tooltip. */
export const TooltipTrigger = BaseTooltip.Trigger<string>;
export const tooltip = shared;

/** Where the shared tooltip is shown. Stands once in the page; without it buttons work and show no tooltip. */
export function TooltipHost() {
  return (
    <BaseTooltip.Provider delay={400}>
      <BaseTooltip.Root handle={shared}>
        {({ payload }) => (
          <BaseTooltip.Portal>
            <BaseTooltip.Positioner sideOffset={6} className={styles.positioner}>
              {/* It says what the button is called; heard once is enough. */}
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
