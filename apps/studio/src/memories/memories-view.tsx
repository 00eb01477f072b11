import { type ReactNode, useEffect } from "react";
import { routeHref, useRoute } from "../app/route.ts";
import { formatNumber } from "../copy/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/controls/button.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { AuditPage } from "./audit-page.tsx";
import { BrowsePage, browseHref } from "./browse-page.tsx";
import { ConflictsPage } from "./conflicts-page.tsx";
import { ConsolidatePage } from "./consolidate-page.tsx";
import { ContextPage } from "./context-page.tsx";
import styles from "./memories-view.module.css";
import { memoryChanges, readFacets, useRequest } from "./memory/memory-api.ts";
import { isTyping } from "./memory/use-keys.ts";
import { ReviewPage } from "./review-page.tsx";

const SECTIONS = ["browse", "review", "conflicts", "consolidate", "audit", "context"] as const;
type Section = (typeof SECTIONS)[number];

/** The memories page: all memories of the server, and those that need a decision. */
export function MemoriesView() {
  const { path } = useRoute();
  const [first, ...rest] = path;
  const section: Section = SECTIONS.find((one) => one === first) ?? "browse";
  const { value: facets } = useRequest("facets", readFacets);
  const pages: Readonly<Record<Section, () => ReactNode>> = {
    browse: () => <BrowsePage openId={first === "browse" ? undefined : first} search={rest[0] ?? ""} facets={facets} />,
    review: () => <ReviewPage total={facets?.to_review} />,
    conflicts: () => <ConflictsPage openId={rest[0]} />,
    consolidate: () => <ConsolidatePage />,
    audit: () => <AuditPage view={rest[0]} />,
    context: () => <ContextPage search={rest[0] ?? ""} facets={facets} />,
  };
  return (
    <main className={styles.view}>
      <div className={styles.top}>
        <h1>{copy.title}</h1>
        <nav className={styles.sections} aria-label={copy.sections.label}>
          {SECTIONS.map((one) => (
            <a
              key={one}
              href={one === "browse" ? browseHref() : routeHref("memories", one)}
              aria-current={one === section ? "page" : undefined}
            >
              {copy.sections[one]}
              {one === "review" && (facets?.to_review ?? 0) > 0 && (
                <span className={styles.badge}>{formatNumber(facets?.to_review ?? 0)}</span>
              )}
            </a>
          ))}
        </nav>
      </div>
      {pages[section]()}
      <ChangeNotice />
    </main>
  );
}

/** The last change, with its undo. */
function ChangeNotice() {
  const { notice } = useSnapshot(memoryChanges);
  useEffect(() => {
    if (notice?.undo === undefined) return;
    const { undo } = notice;
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || isTyping(event)) return;
      event.preventDefault();
      runUndo(undo);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [notice]);
  return (
    <div className={styles.notice} role="status">
      {notice !== undefined && (
        <>
          <span>{notice.text}</span>
          {notice.undo !== undefined && (
            <Button kind="link" onClick={() => notice.undo && runUndo(notice.undo)}>
              {copy.undo}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

function runUndo(undo: () => Promise<unknown>): void {
  undo().then(
    () => memoryChanges.report(copy.undone),
    (error: unknown) => memoryChanges.fail(error),
  );
}
