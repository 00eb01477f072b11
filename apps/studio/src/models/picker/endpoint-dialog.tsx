import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import type { ModelManager, SavedEndpoint } from "../chat-model.ts";
import styles from "./endpoint-dialog.module.css";
import { EndpointFieldset } from "./endpoint-fieldset.tsx";
import { useEndpointForm } from "./use-endpoint-form.ts";

export interface EndpointDialogProps {
  readonly manager: ModelManager;
  /** The one to be changed; a new one without. */
  readonly endpoint: SavedEndpoint | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onSaved: (id: string) => void;
  /** Where the focus goes when it is closed. */
  readonly finalFocus: () => HTMLElement | boolean;
}

/** Adds or changes an address that models answer at. */
export function EndpointDialog({ isOpen, onOpenChange, finalFocus, ...form }: EndpointDialogProps) {
  const { endpoint } = form;
  const address = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={styles.popup}
          // By touch a focused field would bring up the keyboard over half of the form.
          initialFocus={(how) => how === "touch" || address.current}
          finalFocus={finalFocus}
        >
          <header className={styles.head}>
            <Dialog.Title className={styles.title}>
              {endpoint ? `Edit ${endpoint.label}` : "Add an endpoint"}
            </Dialog.Title>
            <Dialog.Close render={<IconButton label="Close" icon={<X aria-hidden />} />} />
          </header>
          <Dialog.Description className={styles.words}>
            Any OpenAI-compatible API. Saved only on this device.
          </Dialog.Description>
          <EndpointDialogForm
            key={endpoint?.id ?? "new"}
            {...form}
            addressRef={address}
            onClose={() => onOpenChange(false)}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface FormProps extends Pick<EndpointDialogProps, "manager" | "endpoint" | "onSaved"> {
  readonly addressRef: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}

function EndpointDialogForm({ manager, endpoint, onSaved, addressRef, onClose }: FormProps) {
  const form = useEndpointForm({ manager, endpoint, onSaved });
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
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" type="submit">
          {endpoint ? "Save" : "Save and use"}
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

/** Asks once more, since a key cannot be brought back. */
function RemoveButton({ endpoint, manager, onRemoved }: RemoveButtonProps) {
  const [isSure, setIsSure] = useState(false);
  const remove = async () => {
    if (!isSure) return setIsSure(true);
    await manager.removeEndpoint(endpoint.id);
    onRemoved();
  };
  return (
    <Button kind="danger" className={styles.remove} onClick={remove} onBlur={() => setIsSure(false)}>
      {isSure ? `Remove endpoint${endpoint.hasKey ? " and key" : ""}` : "Remove"}
    </Button>
  );
}
