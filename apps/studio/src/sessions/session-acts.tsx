import { useEffect, useState } from "react";
import { number, short } from "../copy/inspector.ts";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import report from "../inspector/report-page.module.css";
import { askServer } from "../server/ask-server.ts";
import { useServer, wordsOf } from "../server/use-server.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/controls/button.tsx";
import type { WindowEdits } from "./present-window.tsx";
import styles from "./session-acts.module.css";

interface Preview {
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly summary: string;
  readonly critical: readonly { readonly kind: string; readonly text: string }[];
  readonly threshold: number;
}

interface Layer {
  readonly id: string;
  readonly round: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly is_undone?: boolean;
}

interface SessionActsProps {
  /** Id in the store. */
  readonly sessionId: string;
  readonly turn: number;
  readonly edits: WindowEdits;
  /** Called after the session was changed. */
  readonly onChange: () => void;
}

const PROFILES = ["coding", "content", "chat"] as const;
const EMPTY = { focus: "", keep: "", target: "", budget: "", profile: "", model: "" };
/** Milliseconds after the last change of a setting before the preview is made again. */
const PAUSE = 300;

/** Preview with any settings, compact and undo for a session of the server. */
export function SessionActs({ sessionId, turn, edits, onChange }: SessionActsProps) {
  const path = `/sessions/${encodeURIComponent(sessionId)}`;
  const [form, setForm] = useState(EMPTY);
  const [preview, setPreview] = useState<Preview | null>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const layers = useServer<{ readonly items: readonly Layer[] }>(`${path}/compactions`, turn);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  const changed = (words: string) => {
    setPreview(undefined);
    announce(words);
    layers.reload();
    onChange();
  };
  const look = () =>
    run(async () => {
      const body = { ...bodyOf(form), ...triedOf(form) };
      setPreview((await askServer<{ preview: Preview | null }>(`${path}/preview`, { method: "POST", body })).preview);
    });
  const isShown = preview !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed setting makes the preview again
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(() => void look(), PAUSE);
    return () => clearTimeout(timer);
  }, [form]);
  const compact = () =>
    run(async () => {
      const { compaction } = await askServer<{ compaction: Layer | null }>(`${path}/compact`, {
        method: "POST",
        body: bodyOf(form),
      });
      changed(compaction === null ? copy.acts.nothing : copy.acts.done);
    });
  const undo = (compaction_id: string) =>
    run(async () => {
      await askServer(`${path}/restore`, { method: "POST", body: { compaction_id } });
      changed(copy.acts.undone);
    });
  const field = (name: keyof typeof form, label: string, hint: string, type: "text" | "number") => (
    <label>
      {label}
      <input
        type={type}
        min={0}
        placeholder={hint}
        value={form[name]}
        onChange={(event) => setForm({ ...form, [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <section className={`${report.box} ${styles.acts}`} aria-label={copy.acts.title}>
      <h2>{copy.acts.title}</h2>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void look();
        }}
      >
        {field("focus", copy.acts.focus, copy.acts.focusHint, "text")}
        {field("keep", copy.acts.keep, copy.acts.automatic, "number")}
        {field("target", copy.acts.target, copy.acts.automatic, "number")}
        <details className={styles.whatIf}>
          <summary>{copy.acts.whatIf}</summary>
          <div className={styles.form}>
            {field("model", copy.acts.model, copy.acts.own, "text")}
            {field("budget", copy.acts.budget, copy.acts.own, "number")}
            <label>
              {copy.acts.profile}
              <select
                value={form.profile}
                onChange={(event) => setForm({ ...form, profile: event.currentTarget.value })}
              >
                <option value="">{copy.acts.own}</option>
                {PROFILES.map((name) => (
                  <option key={name} value={name}>
                    {copy.acts.profiles[name]}
                  </option>
                ))}
              </select>
            </label>
          </div>
        </details>
        <div className={styles.buttons}>
          <Button type="submit" disabled={isBusy}>
            {copy.acts.preview}
          </Button>
          <Button kind="primary" disabled={isBusy} onClick={() => void compact()}>
            {copy.acts.compact}
          </Button>
        </div>
      </form>
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {preview !== undefined && <PreviewText preview={preview} />}
      <Layers layers={layers.data?.items} isBusy={isBusy} onUndo={(id) => void undo(id)} />
      <EditJournal edits={edits} />
    </section>
  );
}

interface LayersProps {
  readonly layers: readonly Layer[] | undefined;
  readonly isBusy: boolean;
  readonly onUndo: (id: string) => void;
}

function Layers({ layers, isBusy, onUndo }: LayersProps) {
  return (
    <>
      <h3>{copy.acts.layers}</h3>
      <ul className={styles.layers} aria-label={copy.acts.layers}>
        {layers?.map(({ id, round, tokens_before, tokens_after, is_undone }) => (
          <Undoable key={id} isUndone={is_undone === true} isBusy={isBusy} onUndo={() => onUndo(id)}>
            {copy.acts.layer(round, short(tokens_before), short(tokens_after))}
          </Undoable>
        ))}
      </ul>
      {layers?.length === 0 && <p>{copy.acts.noLayers}</p>}
    </>
  );
}

/** Edits of the window by hand, newest first. */
function EditJournal({ edits: { list, isBusy, undo } }: { readonly edits: WindowEdits }) {
  return (
    <>
      <h3>{copy.edits.title}</h3>
      <ul className={styles.layers} aria-label={copy.edits.title}>
        {list.toReversed().map(({ id, kind, handles, tokens_before, tokens_after, is_undone }) => (
          <Undoable key={id} isUndone={is_undone} isBusy={isBusy} onUndo={() => undo(id)}>
            {copy.edits.line(kind, handles.length, number(tokens_before), number(tokens_after))}
          </Undoable>
        ))}
      </ul>
      {list.length === 0 && <p>{copy.edits.none}</p>}
    </>
  );
}

interface UndoableProps {
  readonly isUndone: boolean;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
  readonly children: string;
}

function Undoable({ isUndone, isBusy, onUndo, children }: UndoableProps) {
  return (
    <li>
      <span>{children}</span>
      {isUndone ? (
        <small>{copy.acts.isUndone}</small>
      ) : (
        <Button kind="link" disabled={isBusy} onClick={onUndo}>
          {copy.acts.undo}
        </Button>
      )}
    </li>
  );
}

function PreviewText({ preview }: { readonly preview: Preview | null }) {
  if (preview === null) return <p role="status">{copy.acts.nothing}</p>;
  const { tokens_before, tokens_after, removed, kept, critical, summary, threshold } = preview;
  return (
    <div role="status" className={styles.preview}>
      <p>
        <strong>{copy.acts.sizes(number(tokens_before), number(tokens_after))}</strong>{" "}
        {copy.acts.kept(removed.length, kept.length)} {copy.acts.cache(short(tokens_after))}{" "}
        {copy.acts.threshold(number(threshold))}
      </p>
      {critical.length === 0 ? (
        <p>{copy.acts.lossless}</p>
      ) : (
        <>
          <h3>{copy.acts.lost}</h3>
          <ul>
            {critical.map(({ kind, text }) => (
              <li key={kind + text}>
                <small>{kind}</small> <span dir="auto">{text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <details>
        <summary>{copy.acts.summary}</summary>
        <pre dir="auto">{summary}</pre>
      </details>
    </div>
  );
}

function triedOf({ budget, profile, model }: typeof EMPTY) {
  return {
    ...(budget !== "" && { budget: Math.round(Number(budget)) }),
    ...(profile !== "" && { profile }),
    ...(model.trim() !== "" && { model_id: model.trim() }),
  };
}

function bodyOf({ focus, keep, target }: typeof EMPTY) {
  return {
    ...(focus.trim() !== "" && { focus: focus.trim() }),
    ...(keep !== "" && { keep_tokens: Math.round(Number(keep)) }),
    ...(target !== "" && { target_tokens: Math.round(Number(target)) }),
  };
}
