import { routeHref } from "../app/route.ts";
import { formatNumber } from "../chat/view/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { classNames } from "../ui/class-names.ts";
import { VirtualList } from "../ui/virtual-list.tsx";
import styles from "./audit-page.module.css";
import { FindingActs } from "./finding-acts.tsx";
import { formatAge } from "./format-age.ts";
import type { AuditKind } from "./memory-api.ts";
import pageStyles from "./page.module.css";
import { StateLine } from "./state-line.tsx";
import { type AuditResult, type Finding, type LoadFindings, useFindings } from "./use-findings.ts";

export const KINDS = [
  "secret",
  "contradiction",
  "duplicate",
  "recalled",
  "unused",
] as const satisfies readonly AuditKind[];
/** Memories of a finding that are shown. */
const MAX_SHOWN = 5;
const ROW = 96;

interface AuditFindingsProps {
  /** Names what is audited. */
  readonly name: string;
  /** Name of the file that is audited. */
  readonly file?: string | undefined;
  readonly kind: AuditKind | undefined;
  readonly onKind: (kind: AuditKind | undefined) => void;
  /** True if the memories have pages of their own. */
  readonly hasLinks?: boolean;
  readonly load: LoadFindings;
}

/** Numbers of findings by kind, and a list of them. */
export function AuditFindings({ name, file, kind, onKind, hasLinks = false, load }: AuditFindingsProps) {
  const { result, items, problem, readMore, reload } = useFindings(name, kind, load);
  const words = copy.audit;
  if (result === undefined || problem !== undefined) return <StateLine problem={problem} onRetry={reload} />;
  const { counts, progress = 1 } = result;
  return (
    <>
      <Summary result={result} file={file} />
      <ul className={styles.counts}>
        {KINDS.map((one) => (
          <li key={one}>
            <button
              type="button"
              className={counts[one] === 0 ? styles.clean : one === "secret" ? styles.urgent : undefined}
              aria-pressed={kind === one}
              onClick={() => onKind(kind === one ? undefined : one)}
            >
              <strong>{formatNumber(counts[one])}</strong> {words.kinds[one]}
            </button>
          </li>
        ))}
      </ul>
      {kind !== undefined && counts[kind] === 0 && progress === 1 && (
        <p className={pageStyles.soft}>{words.cleanKind}</p>
      )}
      {items.length > 0 && (
        <VirtualList
          className={styles.findings}
          label={words.findings}
          items={items}
          keyOf={({ kind: of, memories }) => `${of} ${memories.map(({ id }) => id).join(" ")}`}
          height={ROW}
          onEnd={readMore}
          render={(finding) => <FindingCard finding={finding} hasLinks={hasLinks} />}
        />
      )}
    </>
  );
}

function Summary({ result, file }: { readonly result: AuditResult; readonly file: string | undefined }) {
  const { checked, counts, format, has_usage: hasUsage, progress = 1 } = result;
  const words = copy.audit;
  const isClean = KINDS.every((one) => counts[one] === 0);
  return (
    <div>
      <p className={pageStyles.status} role="status">
        {progress < 1 ? words.checking : words.checked(checked)} {progress === 1 && isClean && words.clean}
      </p>
      {progress < 1 && <progress className={styles.progress} aria-label={words.checking} value={progress} />}
      {format !== undefined && (
        <p className={pageStyles.soft}>
          {[file, words.formats[format], ...(hasUsage === false ? [words.noUsage] : [])]
            .filter((part) => part !== undefined)
            .join(" · ")}
        </p>
      )}
    </div>
  );
}

function FindingCard({ finding, hasLinks }: { readonly finding: Finding; readonly hasLinks: boolean }) {
  const { kind, reason, memories, count } = finding;
  const shown = memories.slice(0, MAX_SHOWN);
  return (
    <article className={classNames(pageStyles.card, kind === "secret" && styles.urgent)}>
      <p className={pageStyles.meta}>
        <strong>{copy.audit.kind[kind]}</strong>
        <span>{reason}</span>
      </p>
      <ul className={styles.found}>
        {shown.map(({ id, text, created_at }) => (
          <li key={id}>
            {hasLinks ? (
              <a className={pageStyles.link} href={routeHref("memories", id)} dir="auto">
                {text}
              </a>
            ) : (
              <span dir="auto">{text}</span>
            )}{" "}
            <span className={pageStyles.soft}>{hasLinks ? formatAge(created_at) : id}</span>
            {hasLinks && kind !== "contradiction" && <FindingActs id={id} isSecret={kind === "secret"} />}
          </li>
        ))}
      </ul>
      {hasLinks && kind === "contradiction" && (
        <a className={styles.resolve} href={routeHref("memories", "conflicts")}>
          {copy.audit.resolve}
        </a>
      )}
      {count > shown.length && <p className={pageStyles.soft}>{copy.audit.others(count - shown.length)}</p>}
    </article>
  );
}
