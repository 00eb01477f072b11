import type { CacheUse, SessionReport } from "throughline/internal/inspect";
import { count, LOSS_NAMES, number, short } from "./copy.ts";
import styles from "./report-page.module.css";

interface CacheBillProps {
  readonly report: SessionReport;
  readonly onCall: (call: number) => void;
}

/** Tokens read from and written to the prompt cache, and the calls that lost the prefix. */
export function CacheBill({ report: { calls, messages }, onCall }: CacheBillProps) {
  const used = calls.flatMap(({ cache }, call) => (cache === undefined ? [] : [{ ...cache, call }]));
  const total = (key: "read" | "written" | "uncached") => used.reduce((sum, one) => sum + one[key], 0);
  const losses = used.filter(({ lost }) => lost !== undefined);
  if (total("read") + total("written") === 0) return null;
  return (
    <section className={styles.box} aria-label="Prompt cache">
      <h2>Prompt cache</h2>
      <p>
        {`${short(total("read"))} tokens read, ${short(total("written"))} tokens written, ${count(total("uncached"), "token")} without cache.`}
      </p>
      <ul className={styles.lookups}>
        {losses.map(({ call, lost }) => (
          <li key={call}>
            <button type="button" className={styles.link} onClick={() => onCall(call)}>
              {`Call ${number(call + 1)}`}
            </button>
            {`: ${short(lost?.tokens ?? 0)} tokens paid again`}{" "}
            <small dir="auto">{lost === undefined ? "" : describeLoss(lost, messages)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Explains the loss of the prefix and, if the window changed, names the first changed item. */
function describeLoss({ cause, message }: NonNullable<CacheUse["lost"]>, messages: SessionReport["messages"]): string {
  if (cause !== "changed") return LOSS_NAMES[cause];
  if (message === undefined) return LOSS_NAMES.instructions;
  return `${LOSS_NAMES.changed} at message ${number(message + 1)}: ${messages[message]?.text.slice(0, 60) ?? ""}`;
}
