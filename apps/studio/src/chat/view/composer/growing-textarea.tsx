import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { classNames } from "../../../ui/class-names.ts";
import styles from "./growing-textarea.module.css";

interface GrowingTextareaProps extends Omit<ComponentProps<"textarea">, "rows" | "ref"> {
  readonly value: string;
  readonly fieldRef?: ((field: HTMLTextAreaElement | null) => void) | undefined;
}

/** A field that is as high as its text, up to a part of the screen. */
export function GrowingTextarea({ className, fieldRef, ...rest }: GrowingTextareaProps) {
  const own = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const field = own.current;
    if (field === null) return;
    field.style.height = "0";
    field.style.height = `${field.scrollHeight}px`;
  }, [rest.value]);
  return (
    <textarea
      {...rest}
      dir="auto"
      rows={1}
      ref={(field) => {
        own.current = field;
        fieldRef?.(field);
      }}
      className={classNames(styles.field, className)}
    />
  );
}

/** Returns if a key press sends the message. Enter that ends a composition (Japanese, Chinese, …) does not. */
export function isSendKey(
  event: Pick<KeyboardEvent, "key" | "shiftKey" | "altKey" | "isComposing" | "keyCode">,
): boolean {
  // Safari reports the Enter that ends a composition behind its end, with this code.
  const isComposing = event.isComposing || event.keyCode === 229;
  return event.key === "Enter" && !event.shiftKey && !event.altKey && !isComposing;
}
