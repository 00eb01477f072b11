import { useCallback, useMemo, useRef, useState } from "react";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { askServer } from "../server/ask-server.ts";
import { useServer, wordsOf } from "../server/use-server.ts";
import { announce } from "../ui/announce.ts";

export type EditKind = "pin" | "mask" | "release";

/** An edit of the window, as the server lists it. */
interface WindowEdit {
  readonly id: string;
  readonly kind: EditKind;
  readonly handles: readonly string[];
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly uncached_tokens: number;
  readonly is_undone: boolean;
}

export interface WindowEdits {
  /** Edits of the session, oldest first. */
  readonly list: readonly WindowEdit[];
  /** The edit whose cost is shown, before it is made. */
  readonly proposed: WindowEdit | undefined;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  /** The newest edit of a message; `undefined` if there is none. */
  readonly kindOf: (messageId: string) => EditKind | undefined;
  readonly propose: (kind: EditKind, messageIds: readonly string[]) => void;
  readonly apply: () => void;
  readonly cancel: () => void;
  readonly undo: (editId: string) => void;
}

/** Edits of the window of a session by hand: each shows its cost first. */
export function useWindowEdits(sessionId: string | undefined, turn: number, onChange: () => void): WindowEdits {
  const path = sessionId === undefined ? undefined : `/sessions/${encodeURIComponent(sessionId)}/edits`;
  const { data, reload } = useServer<{ readonly items: readonly WindowEdit[] }>(path, turn);
  const [proposed, setProposed] = useState<WindowEdit>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const list = data?.items;
  const kinds = useMemo(() => newestKinds(list ?? []), [list]);
  /** Has the focus again after the edit. */
  const origin = useRef<Element>(null);
  const leave = () => {
    setProposed(undefined);
    if (origin.current instanceof HTMLElement) origin.current.focus();
  };
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    await work()
      .catch((error: unknown) => setProblem(wordsOf(error)))
      .finally(() => setBusy(false));
  };
  const send = (body: object) => askServer<WindowEdit>(path ?? "", { method: "POST", body });
  const done = (words: string) => {
    leave();
    announce(words);
    reload();
    onChange();
  };
  return {
    list: list ?? [],
    proposed,
    problem,
    isBusy,
    kindOf: useCallback((id) => kinds.get(id), [kinds]),
    propose: (kind, messageIds) =>
      void run(async () => {
        origin.current = document.activeElement;
        const handles = messageIds.map((id) => `message:${id}`);
        setProposed(await send({ kind, handles, dry_run: true }));
      }),
    apply: () =>
      void run(async () => {
        if (proposed === undefined) return;
        const { kind, handles } = proposed;
        await send({ kind, handles });
        done(copy.edits.done[kind]);
      }),
    cancel: () => {
      leave();
      setProblem(undefined);
    },
    undo: (edit_id) =>
      void run(async () => {
        await askServer(`${path}/undo`, { method: "POST", body: { edit_id } });
        done(copy.edits.undone);
      }),
  };
}

function newestKinds(edits: readonly WindowEdit[]): ReadonlyMap<string, EditKind> {
  return new Map(
    edits
      .filter(({ is_undone }) => !is_undone)
      .flatMap(({ handles, kind }) => handles.map((handle) => [handle.slice("message:".length), kind] as const)),
  );
}
