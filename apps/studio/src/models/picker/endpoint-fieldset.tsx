import { Autocomplete } from "@base-ui/react/autocomplete";
import { Field } from "@base-ui/react/field";
import { type RefObject, useRef, useState } from "react";
import { modelCopy } from "../../copy/models.ts";
import { classNames } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { SavedEndpoint } from "../chat-model.ts";
import type { EndpointForm } from "./endpoint-dialog.tsx";
import styles from "./endpoint-fieldset.module.css";

const { endpoint: endpointCopy } = modelCopy;

interface EndpointFieldsetProps {
  readonly form: EndpointForm;
  readonly endpoint: SavedEndpoint | undefined;
  readonly addressRef: RefObject<HTMLInputElement | null>;
}

export function EndpointFieldset({ form, endpoint, addressRef }: EndpointFieldsetProps) {
  const { fields, write, goesTo } = form;
  return (
    <>
      <Presets form={form} />
      <Field.Root className={styles.field}>
        <Field.Label className={styles.label}>{endpointCopy.baseUrl}</Field.Label>
        <Field.Control
          ref={addressRef}
          className={styles.input}
          type="url"
          inputMode="url"
          placeholder="http://localhost:11434/v1"
          required
          spellCheck={false}
          value={fields.baseUrl}
          onValueChange={(baseUrl) => write({ baseUrl })}
        />
        <Field.Description className={styles.hint}>{goesTo ?? endpointCopy.baseUrlHint}</Field.Description>
      </Field.Root>
      <KeyField form={form} endpoint={endpoint} />
      <ModelNameField form={form} />
      <div className={styles.pair}>
        <Field.Root className={styles.field}>
          <Field.Label className={styles.label}>{endpointCopy.name}</Field.Label>
          <Field.Control
            className={styles.input}
            placeholder={fields.modelId || endpointCopy.sameAsModel}
            value={fields.label}
            onValueChange={(label) => write({ label })}
          />
        </Field.Root>
        <Field.Root className={styles.field}>
          <Field.Label className={styles.label}>{endpointCopy.contextSize}</Field.Label>
          <Field.Control
            className={styles.input}
            inputMode="numeric"
            placeholder={endpointCopy.autoContext}
            value={fields.contextLimit}
            onValueChange={(contextLimit) => write({ contextLimit })}
          />
        </Field.Root>
      </div>
    </>
  );
}

function Presets({ form: { fields, write } }: Pick<EndpointFieldsetProps, "form">) {
  const chosen = ENDPOINT_PRESETS.find(({ baseUrl }) => baseUrl === fields.baseUrl);
  return (
    <fieldset className={styles.presets}>
      <legend className={styles.label}>{endpointCopy.presets}</legend>
      <div className={styles.presetRow}>
        {ENDPOINT_PRESETS.map(({ name, baseUrl }) => (
          <Button
            key={name}
            aria-pressed={name === chosen?.name}
            className={styles.preset}
            onClick={() => write({ baseUrl })}
          >
            {name}
          </Button>
        ))}
      </div>
      {chosen && <p className={styles.hint}>{chosen.hint}</p>}
    </fieldset>
  );
}

function KeyField({ form, endpoint }: Pick<EndpointFieldsetProps, "form" | "endpoint">) {
  const { fields, write, keepsKey } = form;
  const key = useRef<HTMLInputElement>(null);
  const forget = () => {
    // The button disappears with the key.
    key.current?.focus();
    write({ forgetsKey: true });
  };
  return (
    <Field.Root className={styles.field}>
      <Field.Label className={styles.label}>{endpointCopy.key}</Field.Label>
      <Field.Control
        ref={key}
        className={styles.input}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={keepsKey ? endpointCopy.keepKey : endpointCopy.optional}
        value={fields.apiKey}
        onValueChange={(apiKey) => write({ apiKey })}
      />
      <Field.Description className={styles.hint}>
        {keepsKey ? endpointCopy.keySaved(endpoint?.keyEnd) : endpointCopy.keyHint}
      </Field.Description>
      {keepsKey && (
        <Button kind="link" className={styles.forget} onClick={forget}>
          {endpointCopy.removeKey}
        </Button>
      )}
    </Field.Root>
  );
}

/** Some endpoints have hundreds of models; typing finds the rest. */
const SHOWN = 60;

/** The model's name, typed or selected from the endpoint's list. */
function ModelNameField({ form }: { readonly form: EndpointForm }) {
  const { fields, write, models, list, isListing, listed, goesTo } = form;
  const [isOpen, setIsOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const listAndOpen = async () => {
    const found = await list();
    if (found.length === 0 || found.includes(fields.modelId)) return;
    input.current?.focus();
    setIsOpen(true);
  };
  return (
    <Field.Root className={styles.field}>
      <Field.Label className={styles.label}>{endpointCopy.model}</Field.Label>
      <Autocomplete.Root
        items={models}
        limit={SHOWN}
        openOnInputClick
        open={isOpen}
        onOpenChange={setIsOpen}
        value={fields.modelId}
        onValueChange={(modelId) => write({ modelId })}
      >
        <div className={styles.row}>
          <Autocomplete.Input ref={input} className={styles.input} placeholder="llama3.2" required spellCheck={false} />
          <Button
            onClick={isListing ? undefined : listAndOpen}
            aria-disabled={isListing}
            disabled={goesTo === undefined}
          >
            {isListing ? endpointCopy.listing : endpointCopy.list}
          </Button>
        </div>
        {models.length > 0 && <Suggestions />}
      </Autocomplete.Root>
      {/* Models are listed by the button above only, so that nothing is sent while typing. */}
      <p
        role={listed?.isProblem ? "alert" : undefined}
        className={classNames(styles.hint, listed?.isProblem && styles.bad)}
      >
        {listed?.words ?? endpointCopy.modelHint}
      </p>
    </Field.Root>
  );
}

function Suggestions() {
  return (
    // Outside of the dialog: a landmark, so that screen readers find it.
    <Autocomplete.Portal render={<section aria-label={endpointCopy.models} />}>
      <Autocomplete.Positioner className={styles.positioner} sideOffset={4}>
        <Autocomplete.Popup className={styles.popup}>
          <Autocomplete.Empty className={styles.empty}>{endpointCopy.noMatches}</Autocomplete.Empty>
          <Autocomplete.List>
            {(modelId: string) => (
              <Autocomplete.Item key={modelId} value={modelId} className={styles.item}>
                {modelId}
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </Autocomplete.Popup>
      </Autocomplete.Positioner>
    </Autocomplete.Portal>
  );
}

/** Common addresses. A preset only fills in the form. */
interface EndpointPreset {
  readonly name: string;
  readonly baseUrl: string;
  /** Setup step before it answers. */
  readonly hint: string;
}

const ENDPOINT_PRESETS: readonly EndpointPreset[] = [
  {
    name: "Ollama",
    baseUrl: "http://localhost:11434/v1",
    hint: modelCopy.presets.ollama,
  },
  {
    name: "LM Studio",
    baseUrl: "http://localhost:1234/v1",
    hint: modelCopy.presets.lmStudio,
  },
  {
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    hint: modelCopy.presets.openRouter,
  },
];
