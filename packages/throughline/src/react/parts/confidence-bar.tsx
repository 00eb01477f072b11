import type { ReactNode } from "react";

/** Props of `ConfidenceBar`. */
export interface ConfidenceBarProps {
  /** Confidence of the fact from 0 to 1; other values are clamped. */
  readonly confidence: number;
  /** Name of the bar, on hover and for screen readers. Default: "Confidence 75%". */
  readonly label?: string | undefined;
  /** Class name of the bar. */
  readonly className?: string | undefined;
  /** Class name of the filled part. */
  readonly fillClassName?: string | undefined;
}

/**
 * Bar that shows the confidence of a fact, with the same percentage for screen readers.
 *
 * @param props Confidence and class names.
 *
 * @example
 * const bars = facts.map(({ id, confidence }) => <ConfidenceBar key={id} confidence={confidence} />);
 */
export function ConfidenceBar({ confidence, label, className, fillClassName }: ConfidenceBarProps): ReactNode {
  const percent = Math.round(Math.min(1, Math.max(0, confidence)) * 100);
  const name = label ?? `Confidence ${percent}%`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be given the same look in every browser
    <span
      role="meter"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent}%`}
      title={name}
      className={className}
    >
      <span className={fillClassName} style={{ inlineSize: `${percent}%` }} />
    </span>
  );
}
