import { useCallback, useEffect, useRef, useState } from "react";
import { messageOf } from "throughline/internal/util";
import { routeHref } from "../app/route.ts";
import { formatNumber } from "../copy/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { classNames } from "../ui/class-names.ts";
import { Button } from "../ui/controls/button.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { VirtualList } from "../ui/virtual-list.tsx";
import styles from "./audit-page.module.css";
import { formatAge } from "./memory/format-age.ts";
import {
  type AuditKind,
  eraseMemory,
  type ForeignAudit,
  memoryChanges,
  type OwnAudit,
  patchMemory,
} from "./memory/memory-api.ts";
import { StateLine } from "./memory/memory-text.tsx";
import pageStyles from "./page.module.css";

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
  /** Selects the memories to audit. */
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

interface FindingActsProps {
  /** Id of the memory. */
  readonly id: string;
  /** True if the memory has a secret: an archived memory would still have it, so it can be deleted. */
  readonly isSecret: boolean;
}

/** Acts on a memory of a finding: open, archive, and delete for a secret. */
function FindingActs({ id, isSecret }: FindingActsProps) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const act = (change: Promise<unknown>, said: string, undo?: () => Promise<unknown>) => {
    setBusy(true);
    change
      .then(() => memoryChanges.report(said, undo), memoryChanges.fail.bind(memoryChanges))
      .finally(() => setBusy(false));
  };
  const words = copy.audit;
  if (isAsking) {
    return (
      <div className={styles.acts}>
        <Button
          kind="danger"
          disabled={isBusy}
          onClick={() => {
            setAsking(false);
            act(eraseMemory(id), words.deleted);
          }}
        >
          {words.deleteForGood}
        </Button>
        <Button kind="quiet" onClick={() => setAsking(false)}>
          {words.cancel}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.acts}>
      {isSecret && (
        <Button kind="danger" disabled={isBusy} onClick={() => setAsking(true)}>
          {words.delete}
        </Button>
      )}
      <Button
        disabled={isBusy}
        onClick={() =>
          act(patchMemory(id, { archived: true }), copy.detail.archived, () => patchMemory(id, { archived: false }))
        }
      >
        {copy.detail.archive}
      </Button>
      <a className={styles.resolve} href={routeHref("memories", id)}>
        {words.open}
      </a>
    </div>
  );
}

type AuditResult = Omit<OwnAudit, "progress"> & Partial<OwnAudit> & Partial<ForeignAudit>;
type Finding = AuditResult["items"][number];

interface FindingsPage {
  readonly kind?: AuditKind;
  readonly offset: number;
  readonly limit: number;
}

type LoadFindings = (page: FindingsPage, signal: AbortSignal) => Promise<AuditResult>;

const PAGE = 100;
/** Milliseconds between two questions for the progress of an audit. */
const PAUSE = 700;

interface Found {
  readonly key: string;
  readonly result?: AuditResult;
  /** Findings that were read so far. */
  readonly items: readonly Finding[];
  readonly problem?: string;
}

/** Reads findings page by page, and again until the audit is complete. A change of a memory reads again. */
function useFindings(name: string, kind: AuditKind | undefined, load: LoadFindings) {
  const key = `${name} ${kind}`;
  const { version } = useSnapshot(memoryChanges);
  const [attempt, setAttempt] = useState(0);
  const [found, setFound] = useState<Found>({ key, items: [] });
  const latest = useRef(load);
  latest.current = load;
  const more = useRef<AbortController>(undefined);
  const ask = useCallback(
    (offset: number, signal: AbortSignal) =>
      latest.current({ ...(kind !== undefined && { kind }), offset, limit: PAGE }, signal),
    [kind],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the findings; a change or a retry reads again
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () =>
      ask(0, abort.signal).then(
        (result) => {
          if (abort.signal.aborted) return;
          more.current?.abort();
          more.current = undefined;
          setFound({ key, result, items: result.items });
          if ((result.progress ?? 1) < 1) timer = setTimeout(read, PAUSE);
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          setFound({ key, items: [], problem: messageOf(error) });
        },
      );
    read();
    return () => {
      abort.abort();
      more.current?.abort();
      clearTimeout(timer);
    };
  }, [key, version, attempt]);
  const { result, items } = found;
  const readMore = useCallback(() => {
    if (result === undefined || items.length >= result.total || more.current !== undefined) return;
    const abort = new AbortController();
    more.current = abort;
    ask(items.length, abort.signal).then(
      (next) => {
        if (abort.signal.aborted) return;
        more.current = undefined;
        setFound((known) => ({ ...known, items: [...known.items, ...next.items] }));
      },
      // The end of the list triggers another read when it is scrolled into view.
      () => {
        if (more.current === abort) more.current = undefined;
      },
    );
  }, [ask, result, items.length]);
  // The counts stay while another kind is read.
  const isOfKey = found.key === key;
  return {
    result,
    items: isOfKey ? items : [],
    problem: isOfKey ? found.problem : undefined,
    readMore,
    reload: () => setAttempt(attempt + 1),
  };
}
