import { useCallback, useEffect, useRef, useState } from "react";
import { useSnapshot } from "../ui/use-snapshot.ts";
import type { AuditKind, ForeignAudit, OwnAudit } from "./memory-api.ts";
import { memoryChanges } from "./memory-changes.ts";

export type AuditResult = Omit<OwnAudit, "progress"> & Partial<OwnAudit> & Partial<ForeignAudit>;
export type Finding = AuditResult["items"][number];

interface FindingsPage {
  readonly kind?: AuditKind;
  readonly offset: number;
  readonly limit: number;
}

export type LoadFindings = (page: FindingsPage, signal: AbortSignal) => Promise<AuditResult>;

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
export function useFindings(name: string, kind: AuditKind | undefined, load: LoadFindings) {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the findings; a change or a retry reads again
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
          setFound({ key, items: [], problem: error instanceof Error ? error.message : String(error) });
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
