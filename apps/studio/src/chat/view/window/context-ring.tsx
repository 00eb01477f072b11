import { Popover } from "@base-ui/react/popover";
import { chatCopy } from "../../../copy/chat.ts";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import type { WindowUse } from "../../chat.ts";
import { formatNumber } from "../format.ts";
import styles from "./context-ring.module.css";
import { Ring } from "./ring.tsx";
import { formatShare, percentUsed, windowParts } from "./window-parts.ts";

const { context: copy } = chatCopy;

/** Percent from which on earlier messages are summarized soon. */
const NEARLY_FULL = 80;

export interface ContextRingProps {
  readonly use: WindowUse;
  readonly isCondensing: boolean;
  /** `undefined` if nothing can be summarized now. */
  readonly onCondense?: (() => void) | undefined;
}

/** The context in use, as a ring. A click opens the breakdown. */
export function ContextRing({ use, isCondensing, onCondense }: ContextRingProps) {
  const percent = percentUsed(use);
  const isNearlyFull = percent >= NEARLY_FULL;
  return (
    <Popover.Root>
      <Popover.Trigger
        className={classNames(styles.trigger, isNearlyFull && styles.nearlyFull)}
        aria-label={copy.full(percent, use.used, use.limit)}
      >
        <Ring percent={percent} />
        <span>{percent}%</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner} sideOffset={6} align="end" collisionPadding={8}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>{copy.title}</Popover.Title>
            <Popover.Description className={styles.total}>
              <strong>{formatNumber(use.used)}</strong> {copy.of(use.limit)}
              {isNearlyFull && `. ${copy.soon}`}
            </Popover.Description>
            <Breakdown use={use} />
            <Button className={styles.condense} disabled={onCondense === undefined} onClick={onCondense}>
              {isCondensing ? copy.summarizing : copy.summarize}
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
            <th scope="col">{copy.part}</th>
            <th scope="col">{copy.tokens}</th>
            <th scope="col">{copy.share}</th>
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
