import { Field } from "@base-ui/react/field";
import { type RefObject, useRef } from "react";
import { modelCopy } from "../../copy/models.ts";
import { Button } from "../../ui/button.tsx";
import type { SavedEndpoint } from "../chat-model.ts";
import { ENDPOINT_PRESETS } from "../endpoint/presets.ts";
import styles from "./endpoint-fieldset.module.css";
import { ModelNameField } from "./model-name-field.tsx";
import type { EndpointForm } from "./use-endpoint-form.ts";

const { endpoint: copy } = modelCopy;

export interface EndpointFieldsetProps {
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
        <Field.Label className={styles.label}>{copy.baseUrl}</Field.Label>
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
        <Field.Description className={styles.hint}>{goesTo ?? copy.baseUrlHint}</Field.Description>
      </Field.Root>
      <KeyField form={form} endpoint={endpoint} />
      <ModelNameField form={form} />
      <div className={styles.pair}>
        <Field.Root className={styles.field}>
          <Field.Label className={styles.label}>{copy.name}</Field.Label>
          <Field.Control
            className={styles.input}
            placeholder={fields.modelId || copy.sameAsModel}
            value={fields.label}
            onValueChange={(label) => write({ label })}
          />
        </Field.Root>
        <Field.Root className={styles.field}>
          <Field.Label className={styles.label}>{copy.contextSize}</Field.Label>
          <Field.Control
            className={styles.input}
            inputMode="numeric"
            placeholder={copy.autoContext}
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
      <legend className={styles.label}>{copy.presets}</legend>
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
      <Field.Label className={styles.label}>{copy.key}</Field.Label>
      <Field.Control
        ref={key}
        className={styles.input}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={keepsKey ? copy.keepKey : copy.optional}
        value={fields.apiKey}
        onValueChange={(apiKey) => write({ apiKey })}
      />
      <Field.Description className={styles.hint}>
        {keepsKey ? copy.keySaved(endpoint?.keyEnd) : copy.keyHint}
      </Field.Description>
      {keepsKey && (
        <Button kind="link" className={styles.forget} onClick={forget}>
          {copy.removeKey}
        </Button>
      )}
    </Field.Root>
  );
}
