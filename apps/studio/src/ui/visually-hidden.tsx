import type { ComponentProps } from "react";
import styles from "./visually-hidden.module.css";

/** Words for those who hear the page. */
export function VisuallyHidden(props: Omit<ComponentProps<"span">, "className">) {
  return <span {...props} className={styles.hidden} />;
}
