import type { ReactNode, Ref } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import type { ChatModel, ModelManager } from "../../../models/chat-model.ts";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import { readAttachment } from "../../attachments.ts";
import type { ChatState } from "../../chat.ts";
import { Composer, type ComposerHandle, type ComposerProps } from "./composer.tsx";
import { ModelNotice } from "./model-notice.tsx";

const { composer: copy } = chatCopy;

export interface ModelComposerProps {
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
  if (model.place === "device") return copy.staysHere;
  return model.host === undefined ? copy.leaves : copy.sentTo(model.host);
}
