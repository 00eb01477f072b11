import { useState } from "react";
import { routeHref } from "../app/route.ts";
import { formatNumber } from "../chat/view/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/button.tsx";
import { Segments } from "../ui/segments.tsx";
import styles from "./audit-page.module.css";
import { formatAge } from "./format-age.ts";
import { type AuditKind, type AuditResult, auditStored, auditText } from "./memory-api.ts";
import pageStyles from "./page.module.css";
import { StateLine } from "./state-line.tsx";
import { useRequest } from "./use-request.ts";

const KINDS = ["secret", "contradiction", "duplicate", "recalled", "unused"] as const satisfies readonly AuditKind[];
const PAGE = 50;
/** The server returns at most 200. */
const MAX_FINDINGS = 200;

/** Problems in the stored memories, or in those of another program. */
export function AuditPage() {
  const [which, setWhich] = useState<"own" | "other">("own");
  return (
    <div className={pageStyles.page}>
      <div className={pageStyles.column}>
        <div className={pageStyles.head}>
          <h2>{copy.audit.title}</h2>
          <Segments
            label={copy.audit.which}
            value={which}
            segments={[
              { value: "own", label: copy.audit.own },
              { value: "other", label: copy.audit.other },
            ]}
            onChange={setWhich}
          />
        </div>
        {which === "own" ? <OwnAudit /> : <OtherAudit />}
      </div>
    </div>
  );
}

function OwnAudit() {
  const [kind, setKind] = useState<AuditKind>();
  const [limit, setLimit] = useState(PAGE);
  const { value, problem, reload } = useRequest(`audit ${kind} ${limit}`, (signal) =>
    auditStored({ kind, limit }, signal),
  );
  return (
    <>
      <p className={pageStyles.soft}>{copy.audit.words}</p>
      {value === undefined && <StateLine problem={problem} onRetry={reload} />}
      {value !== undefined && (
        <Findings result={value} kind={kind} onKind={setKind} hasLinks onMore={() => setLimit(limit + PAGE)} />
      )}
    </>
  );
}

/** Checks a file or pasted text of another program, without importing it. */
function OtherAudit() {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState<{ readonly data: string; readonly at: number }>();
  const check = (data: string) => setAsked({ data, at: (asked?.at ?? 0) + 1 });
  return (
    <>
      <p className={pageStyles.soft}>{copy.audit.otherWords}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") check(text);
        }}
      >
        <label className={styles.file}>
          {copy.audit.choose}
          <input
            type="file"
            accept=".json,.jsonl,.md,.txt"
            onChange={async (event) => {
              const file = event.currentTarget.files?.[0];
              if (file === undefined) return;
              const content = await file.text();
              setText(content.slice(0, 20_000));
              check(content);
            }}
          />
        </label>
        <p className={pageStyles.soft}>{copy.audit.otherFormats}</p>
        <textarea
          className={pageStyles.field}
          dir="auto"
          aria-label={copy.audit.paste}
          placeholder={copy.audit.paste}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button kind="primary" type="submit" disabled={text.trim() === ""}>
          {copy.audit.check}
        </Button>
      </form>
      {asked !== undefined && <OtherResult key={asked.at} data={asked.data} />}
    </>
  );
}

function OtherResult({ data }: { readonly data: string }) {
  const [kind, setKind] = useState<AuditKind>();
  const [limit, setLimit] = useState(PAGE);
  const { value, problem, reload } = useRequest(`other ${kind} ${limit}`, () =>
    auditText(data, { ...(kind !== undefined && { kind }), limit }),
  );
  if (value === undefined) return <StateLine problem={problem} onRetry={reload} />;
  return (
    <>
      <p className={pageStyles.soft}>
        {value.format !== undefined && copy.audit.formats[value.format]}
        {value.has_usage === false && `. ${copy.audit.noUsage}`}
      </p>
      <Findings result={value} kind={kind} onKind={setKind} onMore={() => setLimit(limit + PAGE)} />
    </>
  );
}

interface FindingsProps {
  readonly result: AuditResult;
  readonly kind: AuditKind | undefined;
  readonly onKind: (kind: AuditKind | undefined) => void;
  readonly hasLinks?: boolean;
  readonly onMore: () => void;
}

function Findings({ result, kind, onKind, hasLinks = false, onMore }: FindingsProps) {
  const { checked, counts, items, total } = result;
  const words = copy.audit;
  const isClean = KINDS.every((one) => counts[one] === 0);
  return (
    <>
      <p className={pageStyles.status} role="status">
        {words.checked(checked)} {isClean && words.clean}
      </p>
      <ul className={styles.counts}>
        {KINDS.map((one) => (
          <li key={one}>
            <button type="button" aria-pressed={kind === one} onClick={() => onKind(kind === one ? undefined : one)}>
              <strong>{formatNumber(counts[one])}</strong>
              {words.kinds[one]}
            </button>
          </li>
        ))}
      </ul>
      {kind !== undefined && total === 0 && <p className={pageStyles.soft}>{words.cleanKind}</p>}
      <ul className={pageStyles.list}>
        {items.map((finding) => (
          <li key={`${finding.kind} ${finding.memories.map(({ id }) => id).join(" ")}`} className={pageStyles.card}>
            <p className={pageStyles.meta}>
              <strong>{words.kinds[finding.kind]}</strong>
              <span>{finding.reason}</span>
            </p>
            <ul className={styles.found}>
              {finding.memories.slice(0, 5).map(({ id, text, created_at }) => (
                <li key={id}>
                  {hasLinks ? (
                    <a className={pageStyles.link} href={routeHref("memories", id)} dir="auto">
                      {text}
                    </a>
                  ) : (
                    <span dir="auto">{text}</span>
                  )}{" "}
                  <span className={pageStyles.soft}>{hasLinks ? formatAge(created_at) : id}</span>
                </li>
              ))}
            </ul>
            {finding.memories.length > 5 && (
              <p className={pageStyles.soft}>{words.others(finding.memories.length - 5)}</p>
            )}
          </li>
        ))}
      </ul>
      {items.length < Math.min(total, MAX_FINDINGS) && <Button onClick={onMore}>{copy.more}</Button>}
    </>
  );
}
