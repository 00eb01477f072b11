import { type ReactNode, useEffect, useRef } from "react";
import type { CacheUse, ReportedCompaction, SessionReport } from "throughline/internal/inspect";
import { inspectorCopy as copy, LOSS_NAMES } from "../copy/inspector.ts";
import { CompactionItems, type ItemActs } from "./compaction-items.tsx";
import { NeededNames } from "./needed-names.tsx";
import styles from "./report-page.module.css";
import { WindowChart } from "./window-chart.tsx";

interface FindingsProps {
  readonly report: SessionReport;
  /** Index of the selected compaction; -1 if there is none. */
  readonly chosen: number;
  readonly onChoose: (compaction: number) => void;
  /** Index of the chosen call. Default: the last one before the compaction. */
  readonly call: number | undefined;
  readonly onCall: (call: number) => void;
  /** Replaces the items of the compaction and the names that were needed afterwards. */
  readonly panel?: ReactNode;
  /** Selects the content of the columns. */
  readonly views?: ReactNode;
  /** Acts on messages of a session that can be changed. */
  readonly itemActs?: ItemActs;
  /** More parts at the top of the last column. */
  readonly more?: ReactNode;
}

/** Kept and lost content of a session's compactions, on one screen. */
export function Findings(props: FindingsProps) {
  const { report, chosen, onChoose, call, onCall, panel, views, itemActs, more } = props;
  const { compactions, calls } = report;
  const compaction = compactions[chosen];
  const before = Math.max(0, (compaction?.call ?? calls.length) - 1);
  const items = compaction !== undefined && (
    <CompactionItems key={`items ${chosen}`} report={report} compaction={compaction} acts={itemActs} />
  );
  return (
    <>
      <p className={styles.sentence}>
        {compaction === undefined
          ? copy.noCompaction(calls.length, Math.max(0, ...calls.map(({ tokens }) => tokens)))
          : describeCompaction(compaction, report.rules)}
      </p>
      <WindowChart report={report} selected={call ?? before} onSelect={onCall} />
      {(compactions.length > 1 || views !== undefined) && (
        <div className={styles.bar}>
          {compactions.length > 1 && <CompactionTabs compactions={compactions} chosen={chosen} onChoose={onChoose} />}
          {views}
        </div>
      )}
      <div className={styles.columns}>
        {panel ?? items}
        {panel === undefined && compaction !== undefined && (
          <NeededNames key={`names ${chosen}`} report={report} compaction={compaction} />
        )}
        <div className={styles.stack}>
          {more}
          <RuleStrip report={report} />
          <CacheBill report={report} onCall={onCall} />
        </div>
      </div>
    </>
  );
}

type CompactionTabsProps = Pick<FindingsProps, "chosen" | "onChoose"> & Pick<SessionReport, "compactions">;

function CompactionTabs({ compactions, chosen, onChoose }: CompactionTabsProps) {
  const selected = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice may be off the screen
  useEffect(() => {
    selected.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [chosen]);
  return (
    <div className={styles.tabs} role="tablist" aria-label={copy.compactions}>
      {compactions.map(({ at, tokensBefore, tokensAfter }, i) => (
        <button
          key={at}
          ref={i === chosen ? selected : null}
          type="button"
          role="tab"
          aria-selected={i === chosen}
          onClick={() => onChoose(i)}
        >
          {copy.compaction(i)} <small>{copy.sizes(tokensBefore, tokensAfter)}</small>
        </button>
      ))}
    </div>
  );
}

interface CacheBillProps {
  readonly report: SessionReport;
  readonly onCall: (call: number) => void;
}

/** Tokens read from and written to the prompt cache, and the calls that lost the prefix. */
function CacheBill({ report: { calls, messages }, onCall }: CacheBillProps) {
  const used = calls.flatMap(({ cache }, call) => (cache === undefined ? [] : [{ ...cache, call }]));
  const total = (key: "read" | "written" | "uncached") => used.reduce((sum, one) => sum + one[key], 0);
  const losses = used.filter(({ lost }) => lost !== undefined);
  if (total("read") + total("written") === 0) return null;
  return (
    <section className={styles.box} aria-label={copy.cache.title}>
      <h2>{copy.cache.title}</h2>
      <p>{copy.cache.sums(total("read"), total("written"), total("uncached"))}</p>
      <ul className={styles.lookups}>
        {losses.map(({ call, lost }) => (
          <li key={call}>
            <button type="button" className={styles.link} onClick={() => onCall(call)}>
              {copy.cache.call(call)}
            </button>
            {copy.cache.lost(lost?.tokens ?? 0)}{" "}
            <small dir="auto">{lost === undefined ? "" : describeCacheLoss(lost, messages)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Explains the loss of the prefix and, if the window changed, names the first changed item. */
function describeCacheLoss(
  { cause, message }: NonNullable<CacheUse["lost"]>,
  messages: SessionReport["messages"],
): string {
  if (cause !== "changed") return LOSS_NAMES[cause];
  if (message === undefined) return LOSS_NAMES.instructions;
  return copy.cache.changed(message, messages[message]?.text.slice(0, 60) ?? "");
}

/** Each standing rule of the user, and the calls that had it in their window. */
export function RuleStrip({ report: { rules, calls, compactions } }: { readonly report: SessionReport }) {
  const width = Math.max(1, calls.length);
  return (
    <section className={styles.box} aria-label={copy.rules.label}>
      <h2>{copy.rules.title}</h2>
      {rules.length === 0 && <p className={styles.none}>{copy.rules.none}</p>}
      {rules.length > 0 && (
        <p className={styles.none}>
          {copy.rules.calls(calls.length)}
          <Key swatch={styles.inWindow}>{copy.rules.inWindow}</Key>{" "}
          <Key swatch={styles.missing}>{copy.rules.missing}</Key>{" "}
          <Key swatch={styles.notGiven}>{copy.rules.notGiven}</Key>
        </p>
      )}
      <ul className={styles.rules}>
        {rules.map(({ text, message, present, missingFrom, repeatedAt }) => (
          <li key={message + text}>
            <q dir="auto">{text}</q>
            <div className={styles.strip} aria-hidden="true">
              <i
                className={styles.notYet}
                style={{ width: `${(100 * (present[0]?.[0] ?? missingFrom ?? 0)) / width}%` }}
              />
              {present.map(([first, last]) => (
                <i
                  key={first}
                  style={{ left: `${(100 * first) / width}%`, width: `${(100 * (last - first + 1)) / width}%` }}
                />
              ))}
            </div>
            <small>
              {missingFrom === undefined
                ? copy.rules.always
                : describeRuleLoss(missingFrom, compactions, repeatedAt !== undefined)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A colour with its meaning. */
function Key({ swatch, children }: { readonly swatch: string | undefined; readonly children: string }) {
  return (
    <span className={styles.key}>
      <i className={swatch} /> {children}
    </span>
  );
}

function describeRuleLoss(missingFrom: number, compactions: SessionReport["compactions"], isRepeated: boolean): string {
  const at = compactions.findIndex(({ call }) => call === missingFrom);
  const cause = at < 0 ? "" : copy.rules.cause(compactions.length === 1 ? undefined : at);
  return copy.rules.lost(missingFrom, isRepeated, cause);
}

/** Characters of a rule in the sentence. */
const MAX_RULE = 120;
/** Characters of a name in the sentence. */
const MAX_NAME = 60;

/** Describes the effect of a compaction in a few sentences. A rule of the user that it dropped comes first. */
export function describeCompaction(compaction: ReportedCompaction, rules: SessionReport["rules"]): string {
  const { call, tokensBefore, tokensAfter, summary, review, lookups } = compaction;
  const sizes = copy.compacted(call, tokensBefore, tokensAfter);
  const dropped = summary === undefined ? [] : rules.filter((rule) => isDropped(rule, call));
  return [
    ...describeRules(dropped),
    sizes,
    ...describeNames(summary === undefined ? undefined : review),
    ...describeLookups(lookups),
  ].join(" ");
}

/** True if the last window before the call had the rule, and the window of the call does not have it. */
function isDropped({ present, missingFrom }: SessionReport["rules"][number], call: number): boolean {
  const isInWindow = (of: number) => present.some(([first, last]) => first <= of && of <= last);
  return missingFrom !== undefined && missingFrom <= call && isInWindow(call - 1) && !isInWindow(call);
}

function describeRules(dropped: SessionReport["rules"]): string[] {
  const [first] = dropped;
  if (first === undefined) return [];
  const text = first.text.length > MAX_RULE ? `${first.text.slice(0, MAX_RULE).trimEnd()}…` : first.text;
  if (dropped.length === 1) return [copy.droppedRule(text)];
  return [copy.droppedRules(dropped.length, text)];
}

function describeNames(review: ReportedCompaction["review"]): string[] {
  if (review === undefined) return [copy.unreadableSummary];
  const { calls, needed, kept, missing } = review;
  if (needed === 0) return [copy.nothingNeeded(calls)];
  return [copy.neededNames(needed, kept, missing.length, exampleOf(missing))];
}

/** The first of the names, which was used most; a file without its folder. */
function exampleOf([first, ...others]: readonly string[]): string {
  if (first === undefined) return "";
  const name = first.split(/[/\\]/).findLast((part) => part !== "") ?? first;
  const cut = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  return others.length === 0 ? copy.onlyExample(cut) : copy.example(cut);
}

function describeLookups(lookups: ReportedCompaction["lookups"]): string[] {
  if (lookups.length === 0) return [];
  const tokens = lookups.reduce((sum, one) => sum + one.tokens, 0);
  return [copy.repeatedLookups(lookups.length, tokens)];
}
