import { useEffect, useRef } from "react";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { number } from "../inspector/copy.ts";
import { Button } from "../ui/button.tsx";
import styles from "./session-acts.module.css";
import type { WindowEdits } from "./use-window-edits.ts";

interface EditProposalProps {
  readonly edits: WindowEdits;
  /** True if a pin brings back what a compaction replaced. */
  readonly isBringBack?: boolean;
  /** Tokens of the chosen messages, if they are known. */
  readonly tokens?: number;
}

/** The cost of an edit, with the buttons to make it or leave it. */
export function EditProposal({ edits, isBringBack = false, tokens }: EditProposalProps) {
  const { proposed, problem, isBusy, apply, cancel } = edits;
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (proposed !== undefined) confirm.current?.focus();
  }, [proposed]);
  if (problem !== undefined) {
    return (
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
    );
  }
  if (proposed === undefined) return null;
  const { kind, handles, tokens_before, tokens_after, uncached_tokens } = proposed;
  const left = (tokens ?? 0) - (tokens_before - tokens_after);
  const act = isBringBack ? ({ pin: "bringBack", mask: "mask", release: "unpin" } as const)[kind] : kind;
  return (
    <div role="status" className={styles.proposal}>
      <p>
        <strong>{copy.acts.sizes(number(tokens_before), number(tokens_after))}</strong>{" "}
        {kind === "mask" && tokens !== undefined && left > 0 && (
          <>{copy.edits.note(handles.length, number(tokens), number(left))} </>
        )}
        {uncached_tokens === 0 ? copy.edits.cached : copy.acts.cache(number(uncached_tokens))}
      </p>
      <div className={styles.buttons}>
        <Button ref={confirm} kind="primary" disabled={isBusy} onClick={apply}>
          {copy.edits.apply(act, handles.length)}
        </Button>
        <Button disabled={isBusy} onClick={cancel}>
          {copy.edits.cancel}
        </Button>
      </div>
    </div>
  );
}
