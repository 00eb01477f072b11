import { useState } from "react";
import { routeHref } from "../app/route.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/controls/button.tsx";
import { Disclosure } from "../ui/controls/disclosure.tsx";
import { type Consolidated, consolidate, memoryChanges, type PlannedChange, undoEntry } from "./memory/memory-api.ts";
import { useKeys } from "./memory/use-keys.ts";
import styles from "./page.module.css";

const ACTIONS = ["merge", "archive", "contradiction", "shorten"] as const satisfies readonly PlannedChange["action"][];
/** Changes of one kind that are shown. */
const MAX_SHOWN = 200;

function countOf({ deduped, compressed, forgotten, contradictions_found: found, adjusted, linked }: Consolidated) {
  return deduped + compressed + forgotten + found + adjusted + linked;
}

/** Previews, applies and undoes a consolidation. */
export function ConsolidatePage() {
  const [preview, setPreview] = useState<Consolidated>();
  const [working, setWorking] = useState<{ readonly step: "preview" | "run"; readonly abort: AbortController }>();
  const words = copy.consolidate;
  const start = (step: "preview" | "run") => {
    if (working !== undefined) return;
    const abort = new AbortController();
    setWorking({ step, abort });
    consolidate(step === "preview", abort.signal)
      .then((done) => {
        if (step === "preview") setPreview(done);
        else finish(done);
      })
      .catch((error: unknown) => abort.signal.aborted || memoryChanges.fail(error))
      .finally(() => setWorking(undefined));
  };
  const finish = (done: Consolidated) => {
    setPreview(undefined);
    const { journal_id: entry } = done;
    memoryChanges.report(words.done(countOf(done)), entry === undefined ? undefined : () => undoEntry(entry));
  };
  const count = preview === undefined ? 0 : countOf(preview);
  useKeys({ p: () => start("preview"), t: count > 0 ? () => start("run") : undefined });
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <div className={styles.head}>
          <h2>{words.title}</h2>
          <div className={styles.actions}>
            <Button
              kind={preview === undefined ? "primary" : "plain"}
              disabled={working !== undefined}
              onClick={() => start("preview")}
            >
              {words.preview}
            </Button>
            {count > 0 && (
              <Button kind="primary" disabled={working !== undefined} onClick={() => start("run")}>
                {words.run}
              </Button>
            )}
          </div>
        </div>
        <p className={styles.soft}>{words.words}</p>
        <p className={styles.keys}>{words.keys}</p>
        {working?.step === "preview" && (
          <div className={styles.actions}>
            <progress aria-label={words.looking} />
            <Button onClick={() => working.abort.abort()}>{copy.cancel}</Button>
          </div>
        )}
        <p className={styles.soft} role="status">
          {working !== undefined && (working.step === "preview" ? words.looking : words.working)}
          {working === undefined && preview !== undefined && (count === 0 ? words.nothing : words.planned(count))}
        </p>
        {preview !== undefined && count > 0 && <Preview preview={preview} />}
      </div>
    </div>
  );
}

function Preview({ preview: { changes = [], linked, adjusted } }: { readonly preview: Consolidated }) {
  const words = copy.consolidate;
  return (
    <>
      {ACTIONS.map((action) => {
        const some = changes.filter((change) => change.action === action);
        if (some.length === 0) return undefined;
        return (
          <section key={action} className={styles.card}>
            <Disclosure isOpenAtFirst summary={`${words.groups[action]} (${some.length})`}>
              <ul className={styles.list}>
                {some.slice(0, MAX_SHOWN).map((change) => (
                  <li key={`${change.id} ${change.other}`}>
                    <Change change={change} />
                  </li>
                ))}
              </ul>
            </Disclosure>
          </section>
        );
      })}
      {linked + adjusted > 0 && <p className={styles.soft}>{words.others(linked, adjusted)}</p>}
    </>
  );
}

function Change({
  change: { action, id, other, reason, text, other_text: otherText },
}: {
  readonly change: PlannedChange;
}) {
  const words = copy.consolidate;
  return (
    <>
      <p className={styles.text} dir="auto">
        <a className={styles.link} href={routeHref("memories", id)}>
          {firstLine(text)}
        </a>
      </p>
      {other !== undefined && (
        <p className={styles.text} dir="auto">
          <span className={styles.soft}>{action === "merge" ? words.into : words.and} </span>
          <a className={styles.link} href={routeHref("memories", other)}>
            {firstLine(otherText ?? other)}
          </a>
        </p>
      )}
      {reason !== undefined && <p className={styles.soft}>{words.reasons[reason] ?? reason}</p>}
    </>
  );
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
