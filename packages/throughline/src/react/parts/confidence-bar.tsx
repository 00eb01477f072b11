import type { ReactNode } from "react";

export interface ConfidenceBarProps {
  /** From 0 to 1. */
  readonly confidence: number;
  readonly className?: string | undefined;
  readonly fillClassName?: string | undefined;
}

/** How sure a fact is: a bar for the eye, and the same in words. */
export function ConfidenceBar({ confidence, className, fillClassName }: ConfidenceBarProps): ReactNode {
  const percent = Math.round(Math.min(1, Math.max(0, confidence)) * 100);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be given the same look in every browser
    <span
      role="meter"
      aria-label={`Confidence ${percent}%`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent}%`}
      title={`Confidence ${percent}%`}
      className={className}
    >
      <span className={fillClassName} style={{ inlineSize: `${percent}%` }} />
    </span>
  );
}
