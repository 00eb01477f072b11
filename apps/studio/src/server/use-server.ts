import { useCallback, useEffect, useState } from "react";
import { frameCopy } from "../copy/frame.ts";
import { askServer, ServerProblem } from "./ask-server.ts";

export interface ServerData<T> {
  /** The last answer for this path. */
  readonly data: T | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

/**
 * Reads a path of the server, again if the path or `version` changes and after `reload`. The old data stays until the
 * response arrives. Without a path, nothing is read.
 */
export function useServer<T>(path: string | undefined, version = 0): ServerData<T> {
  const [state, setState] = useState<{ readonly path: string; readonly data?: T; readonly problem?: string }>();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again
  useEffect(() => {
    if (path === undefined) return undefined;
    const ended = new AbortController();
    askServer<T>(path, { signal: ended.signal }).then(
      (data) => setState({ path, data }),
      (error: unknown) => {
        if (!ended.signal.aborted) setState({ path, problem: wordsOf(error) });
      },
    );
    return () => ended.abort();
  }, [path, version, turn]);
  const reload = useCallback(() => setTurn((last) => last + 1), []);
  const isCurrent = state !== undefined && state.path === path;
  return { data: isCurrent ? state.data : undefined, problem: isCurrent ? state.problem : undefined, reload };
}

const PAUSE = 500;

const EVENTS = ["created", "appended", "compacted", "pruned", "restored", "edited", "purged"].map(
  (name) => `session:${name}`,
);

/** Calls back after events of sessions, and at most twice a second. */
export function useSessionEvents(onEvent: () => void): void {
  useEffect(() => {
    const events = new EventSource("/events");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        onEvent();
      }, PAUSE);
    };
    for (const type of EVENTS) events.addEventListener(type, note);
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, [onEvent]);
}

/** Message about a failed request for the user. */
export function wordsOf(error: unknown): string {
  return error instanceof ServerProblem ? error.message : frameCopy.server.failed;
}
