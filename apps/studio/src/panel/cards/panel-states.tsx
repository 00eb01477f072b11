import { RefreshCw } from "lucide-react";
import type { FactBook } from "throughline/chat";
import { panelCopy } from "../../copy/panel.ts";
import { Button } from "../../ui/controls/button.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { tryTo } from "../panel-toast.ts";
import type { TabName } from "./memory-tabs.tsx";
import styles from "./panel-states.module.css";

interface EmptyStateProps {
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

/** Illustration of an empty list: three blank cards. */
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

const WIDTHS = ["72%", "54%", "84%", "63%", "48%", "77%"];

/** Placeholder cards while memories load. */
export function LoadingState() {
  return (
    <div aria-busy="true" className={styles.loading}>
      <VisuallyHidden role="status">{panelCopy.loading}</VisuallyHidden>
      {WIDTHS.map((width) => (
        <div key={width} aria-hidden="true" className={styles.skeleton}>
          <span style={{ width }} />
          <span style={{ width: "40%" }} />
        </div>
      ))}
    </div>
  );
}

/** Memories cannot be read; the chat works without them. */
export function FailedState({ book, problem }: { readonly book: FactBook; readonly problem: string | undefined }) {
  return (
    <div role="alert" className={styles.empty}>
      <p className={styles.title}>{panelCopy.failed.title}</p>
      <p className={styles.words}>{panelCopy.failed.words(problem ?? panelCopy.failed.unchanged)}</p>
      <Button onClick={() => void tryTo(() => book.refresh())}>
        <RefreshCw aria-hidden /> {panelCopy.failed.retry}
      </Button>
    </div>
  );
}
