import { type FormEvent, useState } from "react";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { number, short } from "../inspector/copy.ts";
import report from "../inspector/report-page.module.css";
import { askServer } from "../server/ask-server.ts";
import { useServer, wordsOf } from "../server/use-server.ts";
import { announce } from "../ui/announce.ts";
import { Button } from "../ui/button.tsx";
import styles from "./session-acts.module.css";

interface Preview {
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly summary: string;
  readonly critical: readonly { readonly kind: string; readonly text: string }[];
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
  /** Called after the session was changed. */
  readonly onChange: () => void;
}

/** Preview, compact and undo for a session of the server. */
export function SessionActs({ sessionId, turn, onChange }: SessionActsProps) {
  const path = `/sessions/${encodeURIComponent(sessionId)}`;
  const [form, setForm] = useState({ focus: "", keep: "", target: "" });
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
  const look = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const answer = await askServer<{ preview: Preview | null }>(`${path}/preview`, {
        method: "POST",
        body: bodyOf(form),
      });
      setPreview(answer.preview);
    });
  };
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
      <form className={styles.form} onSubmit={look}>
        {field("focus", copy.acts.focus, copy.acts.focusHint, "text")}
        {field("keep", copy.acts.keep, copy.acts.automatic, "number")}
        {field("target", copy.acts.target, copy.acts.automatic, "number")}
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
      <h3>{copy.acts.layers}</h3>
      <ul className={styles.layers}>
        {layers.data?.items.map(({ id, round, tokens_before, tokens_after, is_undone }) => (
          <li key={id}>
            <span>{copy.acts.layer(round, short(tokens_before), short(tokens_after))}</span>
            {is_undone === true ? (
              <small>{copy.acts.isUndone}</small>
            ) : (
              <Button kind="link" disabled={isBusy} onClick={() => void undo(id)}>
                {copy.acts.undo}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {layers.data?.items.length === 0 && <p>{copy.acts.noLayers}</p>}
    </section>
  );
}

function PreviewText({ preview }: { readonly preview: Preview | null }) {
  if (preview === null) return <p role="status">{copy.acts.nothing}</p>;
  const { tokens_before, tokens_after, removed, kept, critical, summary } = preview;
  return (
    <div role="status" className={styles.preview}>
      <p>
        <strong>{copy.acts.sizes(number(tokens_before), number(tokens_after))}</strong>{" "}
        {copy.acts.kept(removed.length, kept.length)} {copy.acts.cache(short(tokens_after))}
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

function bodyOf({ focus, keep, target }: { readonly focus: string; readonly keep: string; readonly target: string }) {
  return {
    ...(focus.trim() !== "" && { focus: focus.trim() }),
    ...(keep !== "" && { keep_tokens: Math.round(Number(keep)) }),
    ...(target !== "" && { target_tokens: Math.round(Number(target)) }),
  };
}
