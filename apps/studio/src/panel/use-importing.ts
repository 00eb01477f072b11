import { useEffect, useRef, useState } from "react";
import { MAX_CHAT_FACTS } from "throughline/chat";
import type { ImportProgress } from "throughline/memory";
import { countMemories, explainProblem } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { sayDone } from "./panel-toast.ts";

type Outcome = Awaited<ReturnType<Studio["importMemories"]>>;

export interface Importing {
  readonly text: string;
  readonly isBusy: boolean;
  /** Preview of the import. */
  readonly preview: Outcome | undefined;
  readonly problem: string | undefined;
  readonly progress: ImportProgress | undefined;
  readonly write: (text: string) => void;
  /** Takes the text of a file, and looks at it at once. */
  readonly read: (text: string) => void;
  readonly check: () => void;
  readonly confirm: () => void;
  /** Cancels the work; nothing is imported. */
  readonly cancel: () => void;
}

const NOTHING = { text: "", isBusy: false, preview: undefined, problem: undefined, progress: undefined };

/** An import in two steps: what it would do, and then doing it. */
export function useImporting(studio: Studio, onDone: () => void): Importing {
  const [state, setState] = useState<Pick<Importing, keyof typeof NOTHING>>(NOTHING);
  const working = useRef<AbortController>(undefined);
  // The dialog may be closed while it works.
  useEffect(() => () => working.current?.abort(), []);
  const run = async (text: string, dryRun: boolean, then: (outcome: Outcome) => void) => {
    if (state.isBusy) return;
    const work = new AbortController();
    const { signal } = work;
    working.current = work;
    const busy = { ...NOTHING, text, isBusy: true, preview: state.preview };
    setState(busy);
    try {
      const onProgress = (progress: ImportProgress) => setState({ ...busy, progress });
      then(await studio.importMemories(text, { dryRun, signal, onProgress }));
    } catch (error) {
      const { cancelled, problem } = panelCopy.import;
      setState({ ...NOTHING, text, problem: signal.aborted ? cancelled : problem(explainProblem(error)) });
    }
  };
  const look = (text: string) => void run(text, true, (preview) => setState({ ...NOTHING, text, preview }));
  return {
    ...state,
    write: (text) => setState({ ...NOTHING, text }),
    read: look,
    check: () => look(state.text),
    cancel: () => working.current?.abort(),
    confirm: () =>
      void run(state.text, false, ({ added, overLimit }) => {
        const { import: copy } = panelCopy;
        sayDone([copy.added(countMemories(added)), ...describeLimit(overLimit)].join(" "));
        onDone();
      }),
  };
}

/** A skipped line as the import reports it. */
const SKIPPED_LINE = /^line (\d+): ([a-z-]+)(?: – (.*))?$/s;

/** Skipped entries in plain words. Duplicates are counted, not listed. */
export function describeSkipped(skipped: readonly string[]): { readonly duplicates: number; readonly words: string[] } {
  const { line, quoted, reasons } = panelCopy.import;
  const isDuplicate = (why: string) => SKIPPED_LINE.exec(why)?.[2] === "duplicate";
  const others = skipped.filter((why) => !isDuplicate(why));
  const words = others.map((why) => {
    const [, number = "", name = "", text] = SKIPPED_LINE.exec(why) ?? [];
    const reason = reasons[name];
    if (reason === undefined) return why;
    return line(number, text === undefined ? reason : quoted(reason, text));
  });
  return { duplicates: skipped.length - others.length, words };
}

/** Memories over the limit. */
export function describeLimit(overLimit: number): string[] {
  return overLimit === 0 ? [] : [panelCopy.import.overLimit(MAX_CHAT_FACTS, overLimit)];
}
