import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import styles from "./button.module.css";

export interface ButtonProps extends ComponentProps<"button"> {
  /**
   * `primary`: the one thing to do; `plain`: with an edge; `quiet`: without; `danger`: cannot be undone; `link`: as
   * text.
   */
  readonly kind?: "primary" | "plain" | "quiet" | "danger" | "link";
}

export function Button({ kind = "plain", className, type = "button", ...rest }: ButtonProps) {
  return <button {...rest} type={type} className={classNames(styles.button, styles[kind], className)} />;
}
