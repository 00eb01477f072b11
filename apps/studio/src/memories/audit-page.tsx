import { openRoute } from "../app/route.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Segments } from "../ui/segments.tsx";
import { AuditFindings, KINDS } from "./audit-findings.tsx";
import styles from "./audit-page.module.css";
import { type AuditKind, auditStored } from "./memory-api.ts";
import { OtherAudit } from "./other-audit.tsx";
import pageStyles from "./page.module.css";

const OTHER = "other";

/** Problems in the stored memories, or in those of another program. The address names the view: a kind, or `other`. */
export function AuditPage({ view }: { readonly view: string | undefined }) {
  const kind = KINDS.find((one) => one === view);
  const show = (next: AuditKind | undefined) => openRoute("memories", "audit", ...(next === undefined ? [] : [next]));
  return (
    <div className={pageStyles.page}>
      <div className={styles.column}>
        <div className={pageStyles.head}>
          <h2>{copy.audit.title}</h2>
          <Segments
            label={copy.audit.which}
            value={view === OTHER ? "other" : "own"}
            segments={[
              { value: "own", label: copy.audit.own },
              { value: "other", label: copy.audit.other },
            ]}
            onChange={(which) => openRoute("memories", "audit", ...(which === "own" ? [] : [OTHER]))}
          />
        </div>
        <p className={pageStyles.soft}>{view === OTHER ? copy.audit.otherWords : copy.audit.words}</p>
        {view === OTHER ? (
          <OtherAudit />
        ) : (
          <AuditFindings
            name="own"
            kind={kind}
            onKind={show}
            hasLinks
            load={(page, signal) => auditStored({ ...page }, signal)}
          />
        )}
      </div>
    </div>
  );
}
