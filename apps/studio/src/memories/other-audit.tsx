import { useState } from "react";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/button.tsx";
import { AuditFindings } from "./audit-findings.tsx";
import styles from "./audit-page.module.css";
import { type AuditKind, auditText } from "./memory-api.ts";
import pageStyles from "./page.module.css";

/** Characters of a file that the field shows. All are checked. */
const MAX_SHOWN = 20_000;

interface Asked {
  readonly data: string;
  readonly file?: string;
  /** Counts up with every check. */
  readonly at: number;
}

/** Checks a file or pasted text of another program, without importing it. */
export function OtherAudit() {
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
