import { useState } from "react";
import type { Band, SessionReport } from "throughline/internal/inspect";
import { BAND_NAMES, count, number } from "../copy/inspector.ts";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import report from "../inspector/report-page.module.css";
import { usePages, useServer } from "../server/use-server.ts";
import { Button } from "../ui/controls/button.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import styles from "./window-panel.module.css";

const MODES = ["window", "changes", "note", "payload"] as const;
const PROVIDERS = ["anthropic", "openai", "gemini"] as const;
const ROW_HEIGHT = 72;

interface WindowPanelProps {
  /** Address of the session. */
  readonly path: string;
  readonly report: SessionReport;
  readonly call: number;
  /** First call after the chosen compaction. */
  readonly base: number | undefined;
}

/** The window of a call: as it was sent, what changed, the note for it, and its form for a provider. */
export function WindowPanel(props: WindowPanelProps) {
  const { call } = props;
  const [mode, setMode] = useState<(typeof MODES)[number]>("window");
  return (
    <section className={`${report.box} ${styles.panel}`} aria-label={copy.window.title(call + 1)}>
      <h2>{copy.window.title(call + 1)}</h2>
      <Tabs
        label={copy.window.mode}
        value={mode}
        tabs={MODES.map((value) => ({ value, label: copy.window.modes[value] }))}
        onChange={setMode}
      />
      {mode === "window" && <SentMessages {...props} />}
      {mode === "changes" && <Changes {...props} />}
      {mode === "note" && <Note {...props} />}
      {mode === "payload" && <Payload {...props} />}
    </section>
  );
}

interface TabsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly tabs: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

export function Tabs<Value extends string>({ label, value, tabs, onChange }: TabsProps<Value>) {
  return (
    <div className={`${report.tabs} ${styles.tabs}`} role="tablist" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          onClick={() => onChange(tab.value)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

interface WindowItem {
  readonly message: number;
  readonly band: Band;
  readonly tokens: number;
  readonly text: string;
  readonly change?: "kept" | "removed" | "added";
}

interface SentAnswer {
  readonly items: readonly WindowItem[];
  readonly next_cursor: string | null;
  readonly tokens: number;
  readonly unrecorded: number;
  readonly reported?: number;
}

function SentMessages({ path, call }: WindowPanelProps) {
  const { items, first, problem, loadMore } = usePages<WindowItem, SentAnswer>(`${path}/window?call=${call}&limit=100`);
  if (first === undefined) return <p role="status">{problem ?? copy.loading}</p>;
  const { tokens, unrecorded, reported } = first;
  return (
    <>
      <p>
        {copy.window.sums(number(tokens - unrecorded), number(unrecorded), number(tokens))}
        {reported !== undefined && ` ${copy.window.reported(number(reported))}`}
      </p>
      <Items items={items} label={copy.window.title(call + 1)} onEnd={loadMore} />
    </>
  );
}

interface ChangesAnswer extends Omit<SentAnswer, "tokens" | "unrecorded" | "reported"> {
  readonly kept: number;
  readonly removed: number;
  readonly added: number;
}

/** Compares with the window of any call: at first the one after the compaction, or else the one before. */
function Changes({ path, report, call, base }: WindowPanelProps) {
  const [typed, setTyped] = useState<string>();
  const usual = base === undefined || base === call ? Math.max(0, call - 1) : base;
  const isCall = /^\d+$/.test(typed ?? "") && Number(typed) >= 1 && Number(typed) <= report.calls.length;
  const other = isCall ? Number(typed) - 1 : usual;
  const [from, to] = call < other ? [call, other] : [other, call];
  const { items, first, problem, loadMore } = usePages<WindowItem, ChangesAnswer>(
    `${path}/diff?from=${from}&to=${to}&limit=100`,
  );
  return (
    <>
      <label className={styles.compare}>
        {copy.window.compare}
        <input
          type="number"
          min={1}
          max={report.calls.length}
          value={typed ?? usual + 1}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      {first === undefined ? (
        <p role="status">{problem ?? copy.loading}</p>
      ) : (
        <>
          <p>
            {copy.window.changes(from + 1, to + 1)}:{" "}
            {copy.window.changeSums(number(first.kept), number(first.removed), number(first.added))}
          </p>
          <Items items={items} label={copy.window.changes(from + 1, to + 1)} onEnd={loadMore} />
        </>
      )}
    </>
  );
}

interface ItemsProps {
  readonly items: readonly WindowItem[];
  readonly label: string;
  readonly onEnd: () => void;
}

function Items({ items, label, onEnd }: ItemsProps) {
  return (
    <VirtualList
      items={items}
      keyOf={({ message, change }) => `${message} ${change}`}
      height={ROW_HEIGHT}
      label={label}
      onEnd={onEnd}
      className={styles.items}
      render={(item) => <Item item={item} />}
    />
  );
}

function Item({ item: { message, band, tokens, text, change } }: { readonly item: WindowItem }) {
  const [isOpen, setOpen] = useState(false);
  const about = [BAND_NAMES[band], message >= 0 && `message ${number(message + 1)}`, count(tokens, "token")];
  return (
    <div className={styles.item}>
      <small>
        {change !== undefined && <b className={styles[change]}>{copy.window.changeNames[change]} · </b>}
        {about.filter(Boolean).join(" · ")}
      </small>
      <div dir="auto" className={isOpen ? styles.open : styles.cut}>
        {isOpen ? text : text.slice(0, 400)}
      </div>
      {text.length > 160 && (
        <Button kind="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? copy.window.hide : copy.window.show}
        </Button>
      )}
    </div>
  );
}

function Note({ path, report: { calls }, call }: WindowPanelProps) {
  const messages = calls[call]?.message ?? 0;
  const { data, problem } = useServer<{ readonly text: string; readonly tokens: number }>(
    `${path}/note?messages=${messages}`,
  );
  if (data === undefined) return <p role="status">{problem ?? copy.loading}</p>;
  if (data.text === "") return <p>{copy.window.emptyNote}</p>;
  return (
    <>
      <p>{copy.window.note(number(data.tokens))}</p>
      <pre dir="auto" className={styles.text}>
        {data.text}
      </pre>
    </>
  );
}

function Payload({ path, call }: WindowPanelProps) {
  const [provider, setProvider] = useState<(typeof PROVIDERS)[number]>("anthropic");
  const { data, problem } = useServer<{ readonly messages: readonly unknown[] }>(
    `${path}/payload?call=${call}&provider=${provider}`,
  );
  return (
    <>
      <Tabs
        label={copy.window.provider}
        value={provider}
        tabs={PROVIDERS.map((value) => ({ value, label: copy.window.providers[value] }))}
        onChange={setProvider}
      />
      {data === undefined ? (
        <p role="status">{problem ?? copy.loading}</p>
      ) : (
        <VirtualList
          items={data.messages}
          keyOf={(one) => data.messages.indexOf(one)}
          height={160}
          label={copy.window.modes.payload}
          className={styles.items}
          render={(one) => <pre className={styles.code}>{JSON.stringify(one, null, 1)}</pre>}
        />
      )}
    </>
  );
}
