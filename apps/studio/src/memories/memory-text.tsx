import { memoriesCopy as copy } from "../copy/memories.ts";
import { formatAge, personName, projectName } from "./format-age.ts";
import type { StoredMemory } from "./memory-api.ts";
import styles from "./page.module.css";

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
