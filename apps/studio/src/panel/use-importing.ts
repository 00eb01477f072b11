import { useState } from "react";
import { MAX_MEMORIES } from "throughline/chat";
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
  readonly write: (text: string) => void;
  /** Takes the text of a file, and looks at it at once. */
  readonly read: (text: string) => void;
  readonly check: () => void;
  readonly confirm: () => void;
}

const NOTHING = { text: "", isBusy: false, preview: undefined, problem: undefined };

/** An import in two steps: what it would do, and then doing it. */
export function useImporting(studio: Studio, onDone: () => void): Importing {
  const [state, setState] = useState<Pick<Importing, keyof typeof NOTHING>>(NOTHING);
  const run = async (text: string, dryRun: boolean, then: (outcome: Outcome) => void) => {
    if (state.isBusy) return;
    setState({ ...NOTHING, text, isBusy: true, preview: state.preview });
    try {
      then(await studio.importMemories(text, { dryRun }));
    } catch (error) {
      setState({ ...NOTHING, text, problem: panelCopy.import.problem(explainProblem(error)) });
    }
  };
  const look = (text: string) => void run(text, true, (preview) => setState({ ...NOTHING, text, preview }));
  return {
    ...state,
    write: (text) => setState({ ...NOTHING, text }),
    read: look,
    check: () => look(state.text),
    confirm: () =>
      void run(state.text, false, ({ added, overLimit }) => {
        const { import: copy } = panelCopy;
        sayDone([copy.added(countMemories(added)), ...describeLimit(overLimit)].join(" "));
        onDone();
      }),
  };
}

/** Memories over the limit. */
export function describeLimit(overLimit: number): string[] {
  return overLimit === 0 ? [] : [panelCopy.import.overLimit(MAX_MEMORIES, overLimit)];
}
