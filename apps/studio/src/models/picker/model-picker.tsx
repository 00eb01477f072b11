import { Popover } from "@base-ui/react/popover";
import { ChevronDown, LoaderCircle, TriangleAlert } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { modelCopy } from "../../copy/models.ts";
import { announce } from "../../ui/announce.tsx";
import { returnFocus } from "../../ui/overlays/return-focus.ts";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import type { ModelLoading, ModelManager, ModelState, SavedEndpoint } from "../chat-model.ts";
import { ModelChoices, PlaceIcon } from "./model-choices.tsx";
import styles from "./model-picker.module.css";

// Loaded on first opening.
const EndpointDialog = lazy(async () => ({ default: (await import("./endpoint-dialog.tsx")).EndpointDialog }));

interface ModelPickerProps {
  readonly manager: ModelManager;
  /** State of the list, if the parent controls it. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

/** A small button with the current model. It opens the list of models. */
export function ModelPicker({ manager, isOpen: givenOpen, onOpenChange }: ModelPickerProps) {
  const state = useSnapshot(manager);
  const button = useRef<HTMLButtonElement>(null);
  const [ownOpen, setOwnOpen] = useState(false);
  const [editing, setEditing] = useState<{ readonly endpoint?: SavedEndpoint }>();
  const [wasEditing, setWasEditing] = useState(false);
  if (editing !== undefined && !wasEditing) setWasEditing(true);
  const isOpen = givenOpen ?? ownOpen;
  const setOpen = (next: boolean) => {
    setOwnOpen(next);
    onOpenChange?.(next);
  };
  useEffect(() => {
    if (isOpen) void manager.look();
  }, [isOpen, manager]);
  useSpokenProgress(state.loading);

  const choose = async (choiceId: string | undefined) => {
    await manager.choose(choiceId);
    const { current, problem } = manager.getSnapshot();
    if (problem !== undefined || current?.choiceId !== choiceId) return;
    announce(current === undefined ? modelCopy.noneSelected : modelCopy.using(current.label));
    setOpen(false);
  };
  const list = useRef<HTMLDivElement>(null);
  const cancel = () => {
    // The cancel button disappears.
    list.current?.querySelector<HTMLElement>("[data-choice]")?.focus();
    manager.cancel();
  };
  const edit = (endpoint?: SavedEndpoint) => {
    setOpen(false);
    setEditing(endpoint === undefined ? {} : { endpoint });
  };
  return (
    <>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger ref={button} className={styles.button}>
          <ModelButtonFace state={state} />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner
            className={styles.positioner}
            side="top"
            align="start"
            sideOffset={8}
            collisionPadding={8}
            // Above or below, with scrolling if needed. Beside the button it would cover the field.
            collisionAvoidance={{ side: "flip", fallbackAxisSide: "none" }}
          >
            {/* If the form opens in place of the list, the focus goes there. */}
            <Popover.Popup
              className={styles.popup}
              finalFocus={() => editing === undefined && returnFocus(button.current)}
            >
              <Popover.Title className={styles.title}>{modelCopy.title}</Popover.Title>
              <ModelChoices
                ref={list}
                state={state}
                endpoints={manager.endpoints()}
                onChoose={choose}
                onCancel={cancel}
                onEdit={edit}
              />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      {wasEditing && (
        <Suspense>
          <EndpointDialog
            manager={manager}
            endpoint={editing?.endpoint}
            isOpen={editing !== undefined}
            onOpenChange={(next) => !next && setEditing(undefined)}
            onSaved={(id) => {
              setEditing(undefined);
              void choose(`endpoint:${id}`);
            }}
            finalFocus={() => returnFocus(button.current)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Announces the progress of a download to screen readers, by quarters. */
function useSpokenProgress(loading: ModelLoading | undefined): void {
  const label = loading?.label;
  const quarter = loading?.progress === undefined ? undefined : Math.floor(loading.progress * 4);
  useEffect(() => {
    if (label !== undefined && quarter !== undefined) announce(modelCopy.progress(label, quarter * 25));
  }, [label, quarter]);
}

/** Content of the button: the model that is loading, the current one, or none. */
function ModelButtonFace({ state: { current, loading, problem } }: { readonly state: ModelState }) {
  const percent = loading?.progress === undefined ? "" : ` ${Math.round(loading.progress * 100)}%`;
  return (
    <>
      <VisuallyHidden>{loading ? modelCopy.loading : modelCopy.current}</VisuallyHidden>
      {loading ? <LoaderCircle aria-hidden className={styles.spinner} /> : <PlaceIcon place={current?.place} />}
      <span className={styles.name}>{loading?.label ?? current?.label ?? modelCopy.none}</span>
      {percent !== "" && <span>{percent}</span>}
      {problem !== undefined && (
        <>
          <TriangleAlert aria-hidden className={styles.warning} />
          <VisuallyHidden>{modelCopy.hasProblem}</VisuallyHidden>
        </>
      )}
      <ChevronDown aria-hidden className={styles.chevron} />
    </>
  );
}
