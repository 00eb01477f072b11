import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { modelCopy } from "../../copy/models.ts";
import { announce } from "../../ui/announce.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog.tsx";
import dialog from "../../ui/overlays/dialog.module.css";
import type { ModelManager, SavedEndpoint } from "../chat-model.ts";
import { isSameServer, locateEndpoint, readAddress } from "../endpoint/address.ts";
import { reasonOf } from "../model-error.ts";
import styles from "./endpoint-dialog.module.css";
import { EndpointFieldset } from "./endpoint-fieldset.tsx";

const { endpoint: endpointCopy } = modelCopy;

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
            <Dialog.Title className={styles.title}>
              {endpoint ? endpointCopy.edit(endpoint.label) : endpointCopy.add}
            </Dialog.Title>
            <Dialog.Close render={<IconButton label={endpointCopy.close} icon={<X aria-hidden />} />} />
          </header>
          <Dialog.Description className={styles.words}>{endpointCopy.words}</Dialog.Description>
          <EndpointDialogForm
            key={endpoint?.id ?? "new"}
            {...form}
            addressRef={address}
            isChanged={isChanged}
            onClose={close}
            onCancel={tryToClose}
          />
          <ConfirmDialog onDecide={isAsking ? discard : undefined} {...endpointCopy.discard} />
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
          {endpointCopy.cancel}
        </Button>
        <Button kind="primary" type="submit">
          {endpoint ? endpointCopy.save : endpointCopy.saveAndUse}
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
      {isSure ? endpointCopy.removeForGood(endpoint.hasKey) : endpointCopy.remove}
    </Button>
  );
}

export interface EndpointFields {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly modelId: string;
  readonly label: string;
  readonly contextLimit: string;
  readonly forgetsKey: boolean;
}

export interface EndpointFormOptions {
  readonly manager: ModelManager;
  readonly endpoint: SavedEndpoint | undefined;
  readonly onSaved: (id: string) => void;
}

/** The state of the form for an endpoint. */
export function useEndpointForm({ manager, endpoint, onSaved }: EndpointFormOptions) {
  const [fields, setFields] = useState(() => fieldsOf(endpoint));
  const [models, setModels] = useState<readonly string[]>([]);
  const [isListing, setIsListing] = useState(false);
  const [listed, setListed] = useState<{ readonly words: string; readonly isProblem: boolean }>();
  const [problem, setProblem] = useState<string>();
  const keepsKey = endpoint?.hasKey === true && !fields.forgetsKey && isSameServer(endpoint.baseUrl, fields.baseUrl);
  const key = fields.apiKey !== "" ? { apiKey: fields.apiKey } : keepsKey ? {} : { apiKey: "" };
  const id = endpoint === undefined ? {} : { id: endpoint.id };

  /** Loads the names of the models. */
  const list = async (): Promise<readonly string[]> => {
    setIsListing(true);
    setListed(undefined);
    try {
      const found = await manager.listModels({ baseUrl: fields.baseUrl, ...key, ...id });
      setModels(found);
      const words = found.length === 0 ? endpointCopy.noneFound : endpointCopy.found(found.length);
      setListed({ words, isProblem: false });
      announce(words);
      return found;
    } catch (error) {
      setModels([]);
      setListed({ words: reasonOf(error), isProblem: true });
      return [];
    } finally {
      setIsListing(false);
    }
  };

  const save = async (event: FormEvent) => {
    event.preventDefault();
    // The picker is inside the composer's form, which would send the message.
    event.stopPropagation();
    setProblem(undefined);
    try {
      const { baseUrl, modelId, label } = fields;
      const contextLimit = readLimit(fields.contextLimit);
      const saved = await manager.saveEndpoint({ baseUrl, modelId, label, ...contextLimit, ...key, ...id });
      onSaved(saved.id);
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };

  const write = (change: Partial<EndpointFields>) => {
    setFields((before) => ({ ...before, ...change }));
    setProblem(undefined);
    // The list belongs to the address.
    if (change.baseUrl !== undefined) {
      setModels([]);
      setListed(undefined);
    }
  };

  const isChanged = JSON.stringify(fields) !== JSON.stringify(fieldsOf(endpoint));
  const state = { fields, models, isListing, listed, problem, keepsKey, goesTo: goesTo(fields), isChanged };
  return { ...state, write, list, save };
}

export type EndpointForm = ReturnType<typeof useEndpointForm>;

function fieldsOf(endpoint: SavedEndpoint | undefined): EndpointFields {
  const { baseUrl = "", modelId = "", label = "", contextLimit } = endpoint ?? {};
  return {
    baseUrl,
    apiKey: "",
    modelId,
    label: label === modelId ? "" : label,
    contextLimit: contextLimit === undefined ? "" : String(contextLimit),
    forgetsKey: false,
  };
}

function readLimit(entered: string): { readonly contextLimit?: number } {
  const text = entered.replaceAll(/[\s.,_']/g, "");
  if (text === "") return {};
  const contextLimit = Number(text);
  if (!Number.isInteger(contextLimit) || contextLimit < 512) {
    throw new Error(endpointCopy.badContextSize);
  }
  return { contextLimit };
}

/** Destination of messages for a valid address. */
function goesTo({ baseUrl, modelId }: EndpointFields): string | undefined {
  try {
    return locateEndpoint(readAddress(baseUrl), modelId).says;
  } catch {
    return undefined;
  }
}
