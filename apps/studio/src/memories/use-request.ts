import { useCallback, useEffect, useState } from "react";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { memoryChanges } from "./memory-changes.ts";

interface Loaded<T> {
  /** The last result for this key, or the previous one while a new one is read. */
  readonly value: T | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

/** Reads from the server, and reads again after every change of a memory. */
export function useRequest<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const { version } = useSnapshot(memoryChanges);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ key: string; value?: T; problem?: string }>({ key });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is loaded
  useEffect(() => {
    const abort = new AbortController();
    load(abort.signal).then(
      (value) => !abort.signal.aborted && setState({ key, value }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ key, problem: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => abort.abort();
  }, [key, version, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const isOfKey = state.key === key;
  return { value: isOfKey ? state.value : undefined, problem: isOfKey ? state.problem : undefined, reload };
}
