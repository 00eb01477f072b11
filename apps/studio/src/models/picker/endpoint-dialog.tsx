import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { modelCopy } from "../../copy/models.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog.tsx";
import dialog from "../../ui/overlays/dialog.module.css";
import type { ModelManager, SavedEndpoint } from "../chat-model.ts";
import styles from "./endpoint-dialog.module.css";
import { EndpointFieldset } from "./endpoint-fieldset.tsx";
import { useEndpointForm } from "./use-endpoint-form.ts";

const { endpoint: copy } = modelCopy;

export interface EndpointDialogProps {
  readonly manager: ModelManager;
  /** Endpoint to edit; `undefined` for a new one. */
  readonly endpoint: SavedEndpoint | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onSaved: (id: string) => void;
  /** Element that gets the focus after closing. */
  readonly finalFocus: () => HTMLElement | boolean;
}

/** Adds or edits an endpoint. Asks before it discards entered values. */
export function EndpointDialog({ isOpen, onOpenChange, finalFocus, ...form }: EndpointDialogProps) {
  const { endpoint } = form;
  const address = useRef<HTMLInputElement>(null);
  const isChanged = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const close = () => onOpenChange(false);
  const discard = (isConfirmed: boolean) => {
    setAsking(false);
    if (isConfirmed) close();
  };
  const tryToClose = () => (isChanged.current ? setAsking(true) : close());
  return (
    <Dialog.Root open={isOpen} onOpenChange={tryToClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Popup
          className={styles.popup}
          // On touch screens, a focused field would open the keyboard over half of the form.
          initialFocus={(how) => how === "touch" || address.current}
          finalFocus={finalFocus}
        >
          <header className={styles.head}>
            <Dialog.Title className={styles.title}>{endpoint ? copy.edit(endpoint.label) : copy.add}</Dialog.Title>
            <Dialog.Close render={<IconButton label={copy.close} icon={<X aria-hidden />} />} />
          </header>
          <Dialog.Description className={styles.words}>{copy.words}</Dialog.Description>
          <EndpointDialogForm
            key={endpoint?.id ?? "new"}
            {...form}
            addressRef={address}
            isChanged={isChanged}
            onClose={close}
            onCancel={tryToClose}
          />
          <ConfirmDialog onDecide={isAsking ? discard : undefined} {...copy.discard} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface FormProps extends Pick<EndpointDialogProps, "manager" | "endpoint" | "onSaved"> {
  readonly addressRef: RefObject<HTMLInputElement | null>;
  /** True if closing would discard entered values. */
  readonly isChanged: RefObject<boolean>;
  readonly onClose: () => void;
  readonly onCancel: () => void;
}

function EndpointDialogForm({ manager, endpoint, onSaved, addressRef, isChanged, onClose, onCancel }: FormProps) {
  const form = useEndpointForm({ manager, endpoint, onSaved });
  useEffect(() => {
    isChanged.current = form.isChanged;
    return () => {
      isChanged.current = false;
    };
  }, [isChanged, form.isChanged]);
  return (
    <form className={styles.form} onSubmit={form.save} noValidate autoComplete="off">
      <EndpointFieldset form={form} endpoint={endpoint} addressRef={addressRef} />
      {form.problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {form.problem}
        </p>
      )}
      <div className={styles.actions}>
        {endpoint && <RemoveButton endpoint={endpoint} manager={manager} onRemoved={onClose} />}
        <Button kind="quiet" onClick={onCancel}>
          {copy.cancel}
        </Button>
        <Button kind="primary" type="submit">
          {endpoint ? copy.save : copy.saveAndUse}
        </Button>
      </div>
    </form>
  );
}

interface RemoveButtonProps {
  readonly endpoint: SavedEndpoint;
  readonly manager: ModelManager;
  readonly onRemoved: () => void;
}

/** Needs a second press, because a key cannot be restored. */
function RemoveButton({ endpoint, manager, onRemoved }: RemoveButtonProps) {
  const [isSure, setIsSure] = useState(false);
  const remove = async () => {
    if (!isSure) return setIsSure(true);
    await manager.removeEndpoint(endpoint.id);
    onRemoved();
  };
  return (
    <Button kind="danger" className={styles.remove} onClick={remove} onBlur={() => setIsSure(false)}>
      {isSure ? copy.removeForGood(endpoint.hasKey) : copy.remove}
    </Button>
  );
}
