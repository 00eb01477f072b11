import type { ReactNode, Ref } from "react";
import type { ChatModel, ModelShelf } from "../../../models/chat-model.ts";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import { readAttachment } from "../../attachments.ts";
import type { ChatRoomState } from "../../chat-room.ts";
import { Composer, type ComposerHandle, type ComposerProps } from "./composer.tsx";
import { ModelNotice } from "./model-notice.tsx";

export interface ModelComposerProps {
  readonly state: ChatRoomState;
  readonly models: ModelShelf;
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
  const shelf = useSnapshot(models);
  return (
    <Composer
      {...rest}
      conversationId={state.conversationId}
      isTemporary={state.isTemporary}
      isAnswering={state.isAnswering}
      hint={placeWords(shelf.current)}
      readFile={(file) => readAttachment(file, models.getSnapshot().current)}
      notice={
        <ModelNotice
          state={shelf}
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
