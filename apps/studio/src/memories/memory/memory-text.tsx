import { useState } from "react";
import { memoriesCopy as copy } from "../../copy/memories.ts";
import { Button } from "../../ui/controls/button.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import styles from "../page.module.css";
import { formatAge, personName, projectName } from "./format-age.ts";
import type { StoredMemory } from "./memory-api.ts";

/** Kind, project, person and age of a memory in one line. */
export function MemoryMeta({ memory }: { readonly memory: StoredMemory }) {
  const { kind, category, project_id: project, source, owner, last_seen_at: seen, valid_to, archived_at } = memory;
  return (
    <p className={styles.meta}>
      <span>{category === undefined ? copy.kind[kind] : copy.categories[category]}</span>
      {project !== undefined && <span title={project}>{projectName(project)}</span>}
      <span>{personName(source.speaker ?? owner, copy.filters.you)}</span>
      <time dateTime={seen}>{formatAge(seen)}</time>
      {archived_at !== undefined && <span>{copy.statuses.archived}</span>}
      {archived_at === undefined && valid_to !== undefined && <span>{copy.statuses.ended}</span>}
      {memory.pinned && <span>{copy.detail.pinned}</span>}
    </p>
  );
}

/** The text of a memory. Anything but a fact begins with its title. */
export function MemoryText({ memory: { kind, levels } }: { readonly memory: StoredMemory }) {
  if (kind === "fact") {
    return (
      <p className={styles.large} dir="auto">
        {levels.full}
      </p>
    );
  }
  const [title = "", ...rest] = levels.full.trim().split("\n");
  return (
    <>
      <p className={styles.large} dir="auto">
        {title}
      </p>
      {rest.length > 0 && (
        <p className={styles.text} dir="auto">
          {rest.join("\n")}
        </p>
      )}
    </>
  );
}

interface StateLineProps {
  readonly problem: string | undefined;
  readonly onRetry: () => void;
}

/** Placeholder for content that is loading, with the reason if it failed. */
export function StateLine({ problem, onRetry }: StateLineProps) {
  if (problem === undefined) return <Skeleton />;
  return (
    <div className={styles.failure} role="alert">
      <p className={styles.problem}>{problem}</p>
      <Button onClick={onRetry}>{copy.retry}</Button>
    </div>
  );
}

/** Lines of the shape of a memory, while it is read. */
export function Skeleton({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden>{copy.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <div key={row} aria-hidden>
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

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
