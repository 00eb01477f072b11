import { Popover } from "@base-ui/react/popover";
import { chatCopy } from "../../copy/chat.ts";
import { formatNumber } from "../../copy/format.ts";
import { classNames } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { WindowUse } from "../chat-state.ts";
import styles from "./context-ring.module.css";

const { context: copy } = chatCopy;

/** Percent from which on earlier messages are summarized soon. */
const NEARLY_FULL = 80;

interface ContextRingProps {
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

const RADIUS = 7;
const AROUND = 2 * Math.PI * RADIUS;

/** A ring that shows a percentage. The number is beside it. */
function Ring({ percent }: { readonly percent: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 18 18" aria-hidden>
      <circle className={styles.whole} cx="9" cy="9" r={RADIUS} />
      <circle
        className={styles.part}
        cx="9"
        cy="9"
        r={RADIUS}
        strokeDasharray={`${(percent / 100) * AROUND} ${AROUND}`}
        transform="rotate(-90 9 9)"
      />
    </svg>
  );
}

type PartName = keyof WindowUse["parts"];

/** One part of the window. */
interface WindowPart {
  readonly name: PartName;
  readonly label: string;
  readonly tokens: number;
  /** Of the whole window, from 0 to 1. */
  readonly share: number;
}

const NAMES: readonly PartName[] = ["system", "memory", "summary", "history", "message", "reply", "free"];

/** The parts of the window in the order in which they are sent. */
export function windowParts({ limit, parts }: WindowUse): readonly WindowPart[] {
  return NAMES.map((name) => {
    const tokens = parts[name];
    return { name, label: chatCopy.context.parts[name], tokens, share: shareOf(tokens, limit) };
  });
}

/** Usage of the window in whole percent: 100 only if it is full, and 0 only if it is empty. */
export function percentUsed({ used, limit }: Pick<WindowUse, "used" | "limit">): number {
  const percent = shareOf(used, limit) * 100;
  if (percent >= 100) return 100;
  return percent === 0 ? 0 : Math.min(99, Math.max(1, Math.round(percent)));
}

/** 0.384 → "38.4%" */
function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function shareOf(tokens: number, limit: number): number {
  return limit > 0 ? Math.min(1, Math.max(0, tokens / limit)) : 0;
}
