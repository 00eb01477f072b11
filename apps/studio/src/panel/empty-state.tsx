import { panelCopy } from "../copy/panel.ts";
import type { TabName } from "./memory-tabs.tsx";
import styles from "./states.module.css";

export interface EmptyStateProps {
  readonly tab: TabName;
  /** Searched words; empty without a search. */
  readonly query: string;
}

/** Nothing is remembered yet, nothing of this category, or nothing with the searched words. */
export function EmptyState({ tab, query }: EmptyStateProps) {
  if (query !== "") return <p className={styles.nothing}>{panelCopy.noMatches(query)}</p>;
  if (tab !== "all") return <p className={styles.nothing}>{panelCopy.category[tab].none}</p>;
  return (
    <div className={styles.empty}>
      <Illustration />
      <p className={styles.title}>{panelCopy.empty.title}</p>
      <p className={styles.words}>{panelCopy.empty.words}</p>
    </div>
  );
}

/** Three blank cards on one thread. */
function Illustration() {
  return (
    <svg className={styles.picture} viewBox="0 0 160 120" width="160" height="120" aria-hidden="true">
      <ellipse cx="80" cy="106" rx="56" ry="6" fill="var(--sunken)" />
      <g fill="var(--surface)" stroke="var(--line)" strokeWidth="1.5">
        <rect x="30" y="22" width="84" height="34" rx="8" transform="rotate(-7 72 39)" />
        <rect x="46" y="38" width="84" height="34" rx="8" transform="rotate(4 88 55)" />
        <rect x="36" y="60" width="88" height="36" rx="8" />
      </g>
      <path d="M37 66v24" stroke="var(--project)" strokeWidth="3" strokeLinecap="round" />
      <circle cx="52" cy="78" r="6" fill="var(--sunken)" stroke="var(--line-strong)" strokeWidth="1.5" />
      <g stroke="var(--line)" strokeWidth="4" strokeLinecap="round">
        <path d="M66 74h40" />
        <path d="M66 83h24" />
      </g>
      <path
        d="M116 20c10-10 26-4 22 8s-20 8-14 20 20 4 22-6"
        fill="none"
        stroke="var(--line-strong)"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeDasharray="1 5"
      />
      <path
        d="M24 12v8M20 16h8M140 76v6M137 79h6"
        stroke="var(--line-strong)"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </svg>
  );
}
