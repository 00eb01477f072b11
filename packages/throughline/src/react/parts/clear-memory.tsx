import { type ReactNode, useEffect, useId, useRef, useState } from "react";

/** Props of `ClearMemory`. */
export interface ClearMemoryProps {
  /** Number of facts. The button is disabled at 0. */
  readonly count: number;
  /** Called after the user confirmed. */
  readonly onClear: () => void;
  /** Content of the button. Default: "Clear all memory". */
  readonly triggerLabel?: ReactNode;
  /** Class names of the elements. */
  readonly classNames?: {
    readonly trigger?: string | undefined;
    readonly confirmation?: string | undefined;
    readonly question?: string | undefined;
    readonly confirm?: string | undefined;
    readonly cancel?: string | undefined;
  };
}

/**
 * Button that deletes all memories, after a confirmation in its place that names their number.
 *
 * @param props Number of facts, callback, label and class names.
 *
 * @example
 * const clear = <ClearMemory count={facts.length} onClear={() => void book.clear()} />;
 */
export function ClearMemory(props: ClearMemoryProps): ReactNode {
  const { count, onClear, triggerLabel, classNames = {} } = props;
  const [state, setState] = useState<"quiet" | "asking" | "answered">("quiet");
  if (state === "asking") {
    return (
      <Question
        {...props}
        onClear={() => {
          setState("quiet");
          onClear();
        }}
        onKeep={() => setState("answered")}
      />
    );
  }
  return (
    <button
      type="button"
      // The question went away, and the focus with it.
      ref={(element) => (state === "answered" ? element?.focus() : undefined)}
      className={classNames.trigger}
      disabled={count === 0}
      onClick={() => setState("asking")}
      onBlur={() => setState("quiet")}
    >
      {triggerLabel ?? "Clear all memory"}
    </button>
  );
}

function Question({ count, onClear, onKeep, classNames = {} }: ClearMemoryProps & { readonly onKeep: () => void }) {
  const questionId = useId();
  const harmless = useRef<HTMLButtonElement>(null);
  useEffect(() => harmless.current?.focus(), []);
  return (
    <fieldset
      aria-label="Clear all memory"
      aria-describedby={questionId}
      className={classNames.confirmation}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onKeep();
      }}
    >
      <p id={questionId} className={classNames.question}>
        {count === 1 ? "This will remove 1 fact" : `This will remove all ${count.toLocaleString("en")} facts`}
      </p>
      <button ref={harmless} type="button" aria-describedby={questionId} className={classNames.cancel} onClick={onKeep}>
        Cancel
      </button>
      <button type="button" aria-describedby={questionId} className={classNames.confirm} onClick={onClear}>
        Clear
      </button>
    </fieldset>
  );
}
