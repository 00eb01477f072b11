import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { type ReactNode, useId } from "react";
import styles from "./segments.module.css";

interface Segment<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly icon?: ReactNode;
}

export interface SegmentsProps<Value extends string> {
  /** Name for screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly segments: readonly Segment<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A control that shows all of its few options. */
export function Segments<Value extends string>({ label, value, segments, onChange }: SegmentsProps<Value>) {
  const id = useId();
  return (
    <RadioGroup
      aria-label={label}
      className={styles.segments}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      {segments.map((segment) => (
        <Radio.Root
          key={segment.value}
          value={segment.value}
          aria-labelledby={`${id}-${segment.value}`}
          className={styles.segment}
        >
          {segment.icon}
          <span id={`${id}-${segment.value}`}>{segment.label}</span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
