import { Popover } from "@base-ui/react/popover";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import type { WindowUse } from "../../chat.ts";
import { formatNumber, formatTokens } from "../format.ts";
import styles from "./context-ring.module.css";
import { Ring } from "./ring.tsx";
import { formatShare, percentUsed, windowParts } from "./window-parts.ts";

/** From here on, in percent, earlier messages are soon condensed. */
const NEARLY_FULL = 80;

export interface ContextRingProps {
  readonly use: WindowUse;
  readonly isCondensing: boolean;
  /** Nothing where there is nothing to condense, or no time for it. */
  readonly onCondense?: (() => void) | undefined;
}

/** How full the window is; it opens to what is in it. */
export function ContextRing({ use, isCondensing, onCondense }: ContextRingProps) {
  const percent = percentUsed(use);
  const isNearlyFull = percent >= NEARLY_FULL;
  return (
    <Popover.Root>
      <Popover.Trigger
        className={classNames(styles.trigger, isNearlyFull && styles.nearlyFull)}
        aria-label={`Context ${percent}% full: ${formatNumber(use.used)} of ${formatTokens(use.limit)}`}
      >
        <Ring percent={percent} />
        <span>{percent}%</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner} sideOffset={6} align="end" collisionPadding={8}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>Context usage</Popover.Title>
            <Popover.Description className={styles.total}>
              <strong>{formatNumber(use.used)}</strong> of {formatTokens(use.limit)}
              {isNearlyFull && ". Earlier messages will be summarized soon."}
            </Popover.Description>
            <Breakdown use={use} />
            <Button className={styles.condense} disabled={onCondense === undefined} onClick={onCondense}>
              {isCondensing ? "Summarizing…" : "Summarize now"}
            </Button>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Breakdown({ use }: { readonly use: WindowUse }) {
  const parts = windowParts(use);
  return (
    <>
      <div className={styles.bar} aria-hidden>
        {parts.map(({ name, share }) => (
          <span key={name} data-part={name} style={{ flexGrow: share }} hidden={share === 0} />
        ))}
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Tokens</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ name, label, tokens, share }) => (
            <tr key={name}>
              <th scope="row">
                <span className={styles.swatch} data-part={name} aria-hidden />
                {label}
              </th>
              <td>{formatNumber(tokens)}</td>
              <td>{formatShare(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
