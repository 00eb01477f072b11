import styles from "./ring.module.css";

const RADIUS = 7;
const AROUND = 2 * Math.PI * RADIUS;

/** A ring that shows a percentage. The number is beside it. */
export function Ring({ percent }: { readonly percent: number }) {
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
