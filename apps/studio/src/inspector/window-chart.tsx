import { BANDS, type Band, type SessionReport } from "throughline/internal";
import { callOf } from "./call-of.ts";
import { BAND_NAMES, number, short } from "./copy.ts";
import styles from "./window-chart.module.css";

const WIDTH = 1_000;
const HEIGHT = 200;

interface WindowChartProps {
  readonly report: SessionReport;
  /** Index of the selected call. */
  readonly selected: number;
  readonly onSelect: (call: number) => void;
}

/** Tokens of each window by kind, with cuts at compactions and marks at repeated lookups. */
export function WindowChart({ report, selected, onSelect }: WindowChartProps) {
  const { calls, compactions } = report;
  const max = Math.max(1, ...calls.map(({ tokens, reported = 0 }) => Math.max(tokens, reported)));
  const x = (call: number) => (calls.length < 2 ? 0 : (WIDTH * call) / (calls.length - 1));
  const y = (tokens: number) => HEIGHT - (HEIGHT * tokens) / max;
  const lookups = compactions.flatMap((one) => one.lookups.map(({ message }) => callOf(report, message)));
  return (
    <figure className={styles.chart}>
      <div className={styles.plot}>
        <span className={styles.max}>{short(max)} tokens</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={styles.svg} aria-hidden="true">
          {segments(report).flatMap(([first, last]) =>
            areas(report, first, last, x, y).map(({ band, d }) => (
              <path key={`${first} ${band}`} d={d} className={styles[band]} />
            )),
          )}
          {compactions.map(({ call }) => (
            <line key={call} x1={x(call)} x2={x(call)} y1={0} y2={HEIGHT} className={styles.cut} />
          ))}
          <line x1={x(selected)} x2={x(selected)} y1={0} y2={HEIGHT} className={styles.selected} />
        </svg>
        {lookups.map((call, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several lookups belong to the same call, and none moves
          <span key={i} className={styles.mark} style={{ left: `${x(call) / 10}%` }} title="Looked up again" />
        ))}
        <input
          className={styles.range}
          type="range"
          min={0}
          max={Math.max(0, calls.length - 1)}
          value={selected}
          onChange={(event) => onSelect(Number(event.target.value))}
          aria-label="Call"
          aria-valuetext={`Call ${selected + 1}: ${number(calls[selected]?.tokens ?? 0)} tokens`}
        />
      </div>
      <Legend report={report} selected={selected} hasLookups={lookups.length > 0} />
    </figure>
  );
}

interface LegendProps extends Pick<WindowChartProps, "report" | "selected"> {
  readonly hasLookups: boolean;
}

function Legend({ report, selected, hasLookups }: LegendProps) {
  const call = report.calls[selected];
  if (call === undefined) return null;
  return (
    <figcaption className={styles.legend}>
      <strong>
        Call {number(selected + 1)} of {number(report.calls.length)}: {number(call.tokens)} tokens
      </strong>
      {call.reported !== undefined && <span>reported by the provider: {number(call.reported)}</span>}
      {call.removed !== undefined && <span>then {number(call.removed)} removed by the agent, not recorded</span>}
      {BANDS.filter((band) => call.bands[band] > 0).map((band) => (
        <span key={band}>
          <i className={`${styles.swatch} ${styles[band]}`} /> {BAND_NAMES[band]} {number(call.bands[band])}
        </span>
      ))}
      {report.compactions.length > 0 && (
        <span>
          <i className={styles.cutSwatch} /> compaction
        </span>
      )}
      {hasLookups && (
        <span>
          <i className={styles.markSwatch} /> looked up again
        </span>
      )}
    </figcaption>
  );
}

/** Runs of calls without a compaction between them, first and last call inclusive. */
function segments({ calls, compactions }: SessionReport): [number, number][] {
  const starts = [0, ...compactions.map(({ call }) => call)].filter((call) => call < calls.length);
  const unique = [...new Set(starts)];
  return unique.map((start, i) => [start, (unique[i + 1] ?? calls.length) - 1]);
}

/** One stacked area per kind. */
function areas(
  { calls }: SessionReport,
  first: number,
  last: number,
  x: (call: number) => number,
  y: (tokens: number) => number,
): { readonly band: Band; readonly d: string }[] {
  const below = new Array<number>(last - first + 1).fill(0);
  const right = last + 1 < calls.length ? last + 1 : last;
  return BANDS.flatMap((band) => {
    const lower = [...below];
    for (let call = first; call <= last; call += 1)
      below[call - first] = (below[call - first] ?? 0) + (calls[call]?.bands[band] ?? 0);
    if (below.every((value, i) => value === lower[i])) return [];
    const at = (values: readonly number[]) =>
      values.map((value, i) => `${x(first + i).toFixed(1)} ${y(value).toFixed(1)}`);
    // The last window of a segment reaches to the cut.
    const end = (values: readonly number[]) => `${x(right).toFixed(1)} ${y(values.at(-1) ?? 0).toFixed(1)}`;
    return [{ band, d: `M${[...at(below), end(below), end(lower), ...at(lower).reverse()].join("L")}Z` }];
  });
}
