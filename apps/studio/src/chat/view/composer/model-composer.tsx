import { X } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import type { ChatModel, ModelManager, ModelState } from "../../../models/chat-model.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { IconButton } from "../../../ui/controls/icon-button.tsx";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import { readAttachment } from "../../attachments.ts";
import type { ChatState, QueuedMessage } from "../../chat-state.ts";
import { Composer, type ComposerHandle, type ComposerProps } from "./composer.tsx";
import styles from "./model-composer.module.css";

const { composer: composerCopy } = chatCopy;

interface ModelComposerProps {
  readonly state: ChatState;
  readonly models: ModelManager;
  readonly onSend: ComposerProps["onSend"];
  readonly onStop: () => void;
  /** Called with the reason if a file cannot be attached. */
  readonly onProblem: (text: string) => void;
  readonly onChooseModel: () => void;
  readonly modelPicker?: ReactNode;
  readonly ref?: Ref<ComposerHandle>;
}

/** The composer with the state of the model. */
export function ModelComposer({ state, models, onChooseModel, ...rest }: ModelComposerProps) {
  const manager = useSnapshot(models);
  return (
    <Composer
      {...rest}
      conversationId={state.conversationId}
      isTemporary={state.isTemporary}
      isAnswering={state.isAnswering}
      hint={placeWords(manager.current)}
      readFile={(file) => readAttachment(file, models.getSnapshot().current)}
      notice={
        <ModelNotice
          state={manager}
          isTemporary={state.isTemporary}
          onCancel={() => models.cancel()}
          onChoose={onChooseModel}
        />
      }
    />
  );
}

/** Destination of messages. */
function placeWords(model: ChatModel | undefined): string {
  if (model === undefined) return "";
  if (model.place === "device") return composerCopy.staysHere;
  return model.host === undefined ? composerCopy.leaves : composerCopy.sentTo(model.host);
}

const { model: modelCopy } = chatCopy;

interface ModelNoticeProps {
  readonly state: ModelState;
  readonly isTemporary: boolean;
  readonly onCancel: ModelManager["cancel"];
  readonly onChoose: () => void;
}

/** Notice that no model is selected, with the next steps. Empty if a model is in use. */
function ModelNotice({ state, isTemporary, onCancel, onChoose }: ModelNoticeProps) {
  const { loading, current, problem } = state;
  if (loading !== undefined) return <Loading loading={loading} onCancel={onCancel} />;
  if (current !== undefined && problem === undefined) return null;
  return (
    <div className={styles.notice} role="status">
      <p>{problem ?? noModelWords(isTemporary)}</p>
      <Button kind="link" onClick={onChoose}>
        {modelCopy.choose}
      </Button>
    </div>
  );
}

function noModelWords(isTemporary: boolean): string {
  return isTemporary ? modelCopy.noneTemporary : modelCopy.none;
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
      <progress className={styles.progress} aria-label={modelCopy.loading(label)} max={100} value={percent} />
      <Button kind="link" onClick={onCancel}>
        {chatCopy.cancel}
      </Button>
    </div>
  );
}

interface QueuedMessagesProps {
  readonly queued: readonly QueuedMessage[];
  /** Takes a message out of the queue, to be changed. */
  readonly onCancel: (id: string) => void;
}

/** Queued messages, which wait for the end of the current answer. */
export function QueuedMessages({ queued, onCancel }: QueuedMessagesProps) {
  if (queued.length === 0) return null;
  return (
    <ul className={styles.queue} aria-label={composerCopy.queue}>
      {queued.map(({ id, text, attachments }) => (
        <li key={id} className={styles.queued}>
          <span>{composerCopy.queued}</span>
          <bdi className={styles.words}>
            {[text, ...attachments.map(({ name }) => name)].filter(Boolean).join(" · ")}
          </bdi>
          <IconButton
            size="small"
            label={composerCopy.editQueued}
            icon={<X aria-hidden />}
            onClick={() => onCancel(id)}
          />
        </li>
      ))}
    </ul>
  );
}
