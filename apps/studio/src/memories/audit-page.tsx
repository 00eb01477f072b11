import { useState } from "react";
import { openRoute } from "../app/route.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/controls/button.tsx";
import { Segments } from "../ui/controls/segments.tsx";
import { AuditFindings, KINDS } from "./audit-findings.tsx";
import styles from "./audit-page.module.css";
import { type AuditKind, auditStored, auditText } from "./memory/memory-api.ts";
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

/** Characters of a file that the field shows. All are checked. */
const MAX_SHOWN = 20_000;

interface Asked {
  readonly data: string;
  readonly file?: string;
  /** Counts up with every check. */
  readonly at: number;
}

/** Checks a file or pasted text of another program, without importing it. */
function OtherAudit() {
  const [text, setText] = useState("");
  const [kind, setKind] = useState<AuditKind>();
  const [asked, setAsked] = useState<Asked>();
  const check = (given: Pick<Asked, "data" | "file">) => {
    setKind(undefined);
    setAsked({ ...given, at: (asked?.at ?? 0) + 1 });
  };
  const words = copy.audit;
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") check({ data: text });
        }}
      >
        <label className={styles.file}>
          <span>{words.choose}</span>
          <input
            type="file"
            accept=".json,.jsonl,.md,.txt"
            onChange={async (event) => {
              const file = event.currentTarget.files?.[0];
              if (file === undefined) return;
              const data = await file.text();
              setText(data.slice(0, MAX_SHOWN));
              check({ data, file: file.name });
            }}
          />
          <span className={pageStyles.soft}>{words.otherFormats}</span>
        </label>
        <textarea
          className={pageStyles.field}
          dir="auto"
          aria-label={words.paste}
          placeholder={words.paste}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button kind={asked === undefined ? "primary" : "plain"} type="submit" disabled={text.trim() === ""}>
          {words.check}
        </Button>
      </form>
      {asked !== undefined && (
        <AuditFindings
          key={asked.at}
          name={`other ${asked.at}`}
          file={asked.file}
          kind={kind}
          onKind={setKind}
          load={(page, signal) => auditText(asked.data, page, signal)}
        />
      )}
    </>
  );
}
