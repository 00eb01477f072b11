import { Autocomplete } from "@base-ui/react/autocomplete";
import { Field } from "@base-ui/react/field";
import { useRef, useState } from "react";
import { modelCopy } from "../../copy/models.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import styles from "./endpoint-fieldset.module.css";
import listStyles from "./model-name-field.module.css";
import type { EndpointForm } from "./use-endpoint-form.ts";

const { endpoint: copy } = modelCopy;

/** Some endpoints have hundreds of models; typing finds the rest. */
const SHOWN = 60;

/** The model's name, typed or selected from the endpoint's list. */
export function ModelNameField({ form }: { readonly form: EndpointForm }) {
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
      <Field.Label className={styles.label}>{copy.model}</Field.Label>
      <Autocomplete.Root
        items={models}
        limit={SHOWN}
        openOnInputClick
        open={isOpen}
        onOpenChange={setIsOpen}
        value={fields.modelId}
        onValueChange={(modelId) => write({ modelId })}
      >
        <div className={listStyles.row}>
          <Autocomplete.Input ref={input} className={styles.input} placeholder="llama3.2" required spellCheck={false} />
          <Button
            onClick={isListing ? undefined : listAndOpen}
            aria-disabled={isListing}
            disabled={goesTo === undefined}
          >
            {isListing ? copy.listing : copy.list}
          </Button>
        </div>
        {models.length > 0 && <Suggestions />}
      </Autocomplete.Root>
      {/* Models are listed by the button above only, so that nothing is sent while typing. */}
      <p
        role={listed?.isProblem ? "alert" : undefined}
        className={classNames(styles.hint, listed?.isProblem && styles.bad)}
      >
        {listed?.words ?? copy.modelHint}
      </p>
    </Field.Root>
  );
}

function Suggestions() {
  return (
    // Outside of the dialog: a landmark, so that screen readers find it.
    <Autocomplete.Portal render={<section aria-label={copy.models} />}>
      <Autocomplete.Positioner className={listStyles.positioner} sideOffset={4}>
        <Autocomplete.Popup className={listStyles.popup}>
          <Autocomplete.Empty className={listStyles.empty}>{copy.noMatches}</Autocomplete.Empty>
          <Autocomplete.List className={listStyles.list}>
            {(modelId: string) => (
              <Autocomplete.Item key={modelId} value={modelId} className={listStyles.item}>
                {modelId}
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </Autocomplete.Popup>
      </Autocomplete.Positioner>
    </Autocomplete.Portal>
  );
}
