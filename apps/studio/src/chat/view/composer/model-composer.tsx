import type { ReactNode, Ref } from "react";
import type { ChatModel, ModelManager } from "../../../models/chat-model.ts";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import { readAttachment } from "../../attachments.ts";
import type { ChatState } from "../../chat.ts";
import { Composer, type ComposerHandle, type ComposerProps } from "./composer.tsx";
import { ModelNotice } from "./model-notice.tsx";

export interface ModelComposerProps {
  readonly state: ChatState;
  readonly models: ModelManager;
  readonly onSend: ComposerProps["onSend"];
  readonly onStop: () => void;
  /** Told why a file cannot be attached. */
  readonly onProblem: (text: string) => void;
  readonly onChooseModel: () => void;
  readonly modelPicker?: ReactNode;
  readonly ref?: Ref<ComposerHandle>;
}

/** The composer, with what has to be known of the model that will answer. */
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

/** Where the words go. */
function placeWords(model: ChatModel | undefined): string {
  if (model === undefined) return "";
  if (model.place === "device") return "Stays on this device";
  return model.host === undefined ? "Leaves this device" : `Sent to ${model.host}`;
}
