import { BANDS, type Band, type SessionReport } from "throughline/internal/inspect";
import { BAND_NAMES, inspectorCopy as copy, number } from "../copy/inspector.ts";
import styles from "./window-chart.module.css";

const WIDTH = 1_000;
const HEIGHT = 200;
/** Percent of the width on each side of the selected call that its label takes. */
const LABEL_SHARE = 7;
/** Share of the height from which on a kind is visible. */
const MIN_VISIBLE = 0.004;

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
  const xCut = (call: number) => x(call - 0.5);
  const lookups = compactions.flatMap((one) => one.lookups.map(({ message }) => callOf(report, message)));
  return (
    <figure className={styles.chart}>
      <div className={styles.plot}>
        <span className={styles.max}>{copy.chart.max(max)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={styles.svg} aria-hidden="true">
          {segments(report).flatMap(([first, last]) =>
            areas(report, first, last, x, y).map(({ band, d }) => (
              <path key={`${first} ${band}`} d={d} className={styles[band]} />
            )),
          )}
          {compactions.map(({ call }) => (
            <line key={call} x1={xCut(call)} x2={xCut(call)} y1={0} y2={HEIGHT} className={styles.cut} />
          ))}
          <line x1={x(selected)} x2={x(selected)} y1={0} y2={HEIGHT} className={styles.selected} />
        </svg>
        {lookups.map((call, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several lookups belong to the same call, and none moves
          <span key={i} className={styles.mark} style={{ left: `${x(call) / 10}%` }} title={copy.chart.lookup} />
        ))}
        <input
          className={styles.range}
          type="range"
          min={0}
          max={Math.max(0, calls.length - 1)}
          value={selected}
          onChange={(event) => onSelect(Number(event.target.value))}
          aria-label={copy.chart.call}
          aria-valuetext={copy.chart.callTokens(selected, calls[selected]?.tokens ?? 0)}
        />
      </div>
      <Axis calls={calls.length} selected={selected} />
      <Legend report={report} selected={selected} hasLookups={lookups.length > 0} />
    </figure>
  );
}

/** Call numbers below the chart, and the name of the selected call below its line. */
function Axis({ calls, selected }: { readonly calls: number; readonly selected: number }) {
  const placeOf = (call: number) => (calls < 2 ? 0 : (100 * call) / (calls - 1));
  const style = (call: number) => ({ left: `${placeOf(call)}%`, transform: `translateX(-${placeOf(call)}%)` });
  return (
    <div className={styles.axis} aria-hidden="true">
      {axisCalls(calls)
        .filter((call) => Math.abs(placeOf(call) - placeOf(selected)) > LABEL_SHARE)
        .map((call) => (
          <span key={call} style={style(call)}>
            {number(call + 1)}
          </span>
        ))}
      <strong style={style(selected)}>{copy.chart.shortCall(selected)}</strong>
    </div>
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
        <i className={styles.selectedSwatch} /> {copy.chart.selected(selected, report.calls.length, call.tokens)}
      </strong>
      {call.reported !== undefined && <span>{copy.chart.reported(call.reported)}</span>}
      {call.removed !== undefined && <span>{copy.chart.removed(call.removed)}</span>}
      {BANDS.filter((band) => call.bands[band] > 0 || isVisible(report, band)).map((band) => (
        <span key={band}>
          <i className={`${styles.swatch} ${styles[band]}`} /> {BAND_NAMES[band]}{" "}
          <data value={call.bands[band]}>{number(call.bands[band])}</data>
        </span>
      ))}
      {report.compactions.length > 0 && (
        <span>
          <i className={styles.cutSwatch} /> {copy.chart.compaction}
        </span>
      )}
      {hasLookups && (
        <span>
          <i className={styles.markSwatch} /> {copy.chart.lookups}
        </span>
      )}
    </figcaption>
  );
}

/** True if the chart shows the kind: it is more than a line in one of the columns. */
function isVisible({ calls }: SessionReport, band: Band): boolean {
  const max = Math.max(1, ...calls.map(({ tokens }) => tokens));
  return calls.some(({ bands }) => bands[band] >= MIN_VISIBLE * max);
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
  // A compaction is between two calls: the windows beside it reach to the cut.
  const left = first > 0 ? first - 0.5 : first;
  const right = last + 1 < calls.length ? last + 0.5 : last;
  return BANDS.flatMap((band) => {
    const lower = [...below];
    for (let call = first; call <= last; call += 1)
      below[call - first] = (below[call - first] ?? 0) + (calls[call]?.bands[band] ?? 0);
    if (below.every((value, i) => value === lower[i])) return [];
    const place = (call: number, value = 0) => `${x(call).toFixed(1)} ${y(value).toFixed(1)}`;
    const at = (values: readonly number[]) => values.map((value, i) => place(first + i, value));
    const upper = [place(left, below[0]), ...at(below), place(right, below.at(-1))];
    const under = [place(left, lower[0]), ...at(lower), place(right, lower.at(-1))];
    return [{ band, d: `M${[...upper, ...under.reverse()].join("L")}Z` }];
  });
}

/** Largest number of steps between the numbers of an axis. */
const MAX_STEPS = 10;

/** Indexes of the calls with a number on the axis: the first and the last one, and round numbers between them. */
export function axisCalls(calls: number): readonly number[] {
  if (calls < 2) return calls === 1 ? [0] : [];
  const step = stepFor(calls / MAX_STEPS);
  const round = Array.from({ length: Math.ceil(calls / step) }, (_, i) => i * step - 1);
  // There is no space for a number close to an end.
  return [0, ...round.filter((call) => call > step / 2 && calls - 1 - call > step / 2), calls - 1];
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function stepFor(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/** Index of the call that a message belongs to or follows. */
export function callOf({ calls }: Pick<SessionReport, "calls">, message: number): number {
  const after = calls.findIndex((call) => call.message > message);
  return after === -1 ? calls.length - 1 : Math.max(0, after - 1);
}
