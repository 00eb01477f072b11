import { useState } from "react";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/button.tsx";
import styles from "./page.module.css";

interface EditTextProps {
  readonly label: string;
  readonly text: string;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

/** A field for a new text. Ctrl+Enter saves, Escape cancels. */
export function EditText({ label, text, onSave, onCancel }: EditTextProps) {
  const [value, setValue] = useState(text);
  const isSavable = value.trim() !== "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isSavable) onSave(value.trim());
      }}
    >
      <textarea
        className={styles.field}
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit
        autoFocus
        dir="auto"
        aria-label={label}
        rows={Math.min(12, 2 + value.split("\n").length)}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && isSavable) onSave(value.trim());
        }}
      />
      <div className={styles.actions}>
        <Button kind="primary" type="submit" disabled={!isSavable}>
          {copy.save}
        </Button>
        <Button onClick={onCancel}>{copy.cancel}</Button>
      </div>
    </form>
  );
}
