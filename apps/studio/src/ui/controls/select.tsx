import { Select as BaseSelect } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import { classNames } from "../class-names.ts";
import styles from "./select.module.css";

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export interface SelectProps<Value extends string> {
  /** Name for screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly className?: string | undefined;
}

/** One of several options, in a list that opens. */
export function Select<Value extends string>({ label, value, options, onChange, className }: SelectProps<Value>) {
  return (
    <BaseSelect.Root items={options} value={value} onValueChange={(next) => next !== null && onChange(next)}>
      <BaseSelect.Trigger aria-label={label} className={classNames(styles.trigger, className)}>
        <BaseSelect.Value className={styles.value} />
        <BaseSelect.Icon className={styles.chevron}>
          <ChevronDown aria-hidden />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal render={<section aria-label={label} />}>
        <BaseSelect.Positioner className={styles.positioner} sideOffset={4} alignItemWithTrigger={false}>
          <BaseSelect.Popup className={styles.popup}>
            {options.map((option) => (
              <BaseSelect.Item key={option.value} value={option.value} className={styles.item}>
                <BaseSelect.ItemText className={styles.text}>{option.label}</BaseSelect.ItemText>
                <BaseSelect.ItemIndicator className={styles.check}>
                  <Check aria-hidden />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
