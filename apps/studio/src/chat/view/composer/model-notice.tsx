import { chatCopy } from "../../../copy/chat.ts";
import type { ModelManager, ModelState } from "../../../models/chat-model.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./model-notice.module.css";

const { model: copy } = chatCopy;

export interface ModelNoticeProps {
  readonly state: ModelState;
  readonly isTemporary: boolean;
  readonly onCancel: ModelManager["cancel"];
  readonly onChoose: () => void;
}

/** Notice that no model is selected, with the next steps. Empty if a model is in use. */
export function ModelNotice({ state, isTemporary, onCancel, onChoose }: ModelNoticeProps) {
  const { loading, current, problem } = state;
  if (loading !== undefined) return <Loading loading={loading} onCancel={onCancel} />;
  if (current !== undefined && problem === undefined) return null;
  return (
    <div className={styles.notice} role="status">
      <p>{problem ?? noModelWords(isTemporary)}</p>
      <Button kind="link" onClick={onChoose}>
        {copy.choose}
      </Button>
    </div>
  );
}

function noModelWords(isTemporary: boolean): string {
  return isTemporary ? copy.noneTemporary : copy.none;
}

function Loading({
  loading,
  onCancel,
}: Pick<ModelNoticeProps, "onCancel"> & { readonly loading: NonNullable<ModelState["loading"]> }) {
  const { label, progress, text } = loading;
  const percent = progress === undefined ? undefined : Math.round(progress * 100);
  return (
    <div className={styles.notice}>
      <p>
        {label}: {text}
        {percent !== undefined && ` ${percent}%`}
      </p>
      <progress className={styles.progress} aria-label={copy.loading(label)} max={100} value={percent} />
      <Button kind="link" onClick={onCancel}>
        {chatCopy.cancel}
      </Button>
    </div>
  );
}
