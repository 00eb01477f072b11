import { readFile } from "node:fs/promises";
import path from "node:path";

/** An event, in chronological order. */
export type Step =
  | { readonly type: "turn"; readonly role: "user" | "assistant"; readonly text: string; readonly at: number }
  /** A value written under a key; `key` is that of the value it supersedes, if any. */
  | {
      readonly type: "write";
      readonly key: string;
      readonly value: string;
      readonly at: number;
      readonly isInitial: boolean;
    };

/** A question with everything known before it. */
export interface Question {
  readonly timeline: string;
  readonly track: string;
  readonly before: readonly Step[];
  readonly prompt: string;
  readonly mustMention: readonly string[];
  readonly mustNotMention: readonly string[];
}

interface Write {
  readonly id: string;
  readonly key: string;
  readonly value: string | null;
  readonly supersedes: string | null;
}

interface Event {
  readonly ts: string;
  readonly type: string;
  readonly speaker?: string;
  readonly text?: string;
  readonly writes?: readonly Write[];
  readonly prompt?: string;
  readonly ground_truth?: { readonly must_mention: readonly string[]; readonly must_not_mention: readonly string[] };
}

interface Timeline {
  readonly id: string;
  readonly track: string;
  readonly initial_state: {
    readonly persistent_facts: readonly { readonly key: string; readonly value: string | null; readonly ts: string }[];
    readonly environment: Readonly<Record<string, unknown>>;
  };
  readonly events: readonly Event[];
}

/** The questions of the development split. */
export async function readQuestions(folder: string): Promise<readonly Question[]> {
  const text = await readFile(path.join(folder, "statebench", "dev.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => readTimeline(JSON.parse(line) as Timeline));
}

function readTimeline({ id, track, initial_state: initial, events }: Timeline): Question[] {
  const keys = new Map<string, string>();
  const steps: Step[] = readInitial(initial);
  const questions: Question[] = [];
  for (const event of events) {
    steps.push(...readSteps(event, keys));
    const { prompt, ground_truth: truth } = event;
    if (prompt === undefined || truth === undefined) continue;
    questions.push({
      timeline: id,
      track,
      before: steps.toSorted((a, b) => a.at - b.at),
      prompt,
      mustMention: truth.must_mention,
      mustNotMention: truth.must_not_mention,
    });
  }
  return questions;
}

/** The steps of an event. A superseding value is written under the key of the previous one. */
function readSteps({ ts, text, speaker, writes = [] }: Event, keys: Map<string, string>): Step[] {
  const at = Date.parse(ts);
  const said: Step[] =
    text === undefined ? [] : [{ type: "turn", role: speaker === "assistant" ? "assistant" : "user", text, at }];
  return [
    ...said,
    ...writes.flatMap(({ id, key, value, supersedes }): Step[] => {
      const root = supersedes === null ? key : (keys.get(supersedes) ?? supersedes);
      for (const name of [key, id]) keys.set(name, root);
      return value === null ? [] : [{ type: "write", key: root, value, at, isInitial: false }];
    }),
  ];
}

/** The initial facts. Task notes are left out, because they are not to be remembered. */
function readInitial({ persistent_facts: facts, environment }: Timeline["initial_state"]): Step[] {
  const { now, ...surroundings } = environment;
  const start = Date.parse(String(now));
  const known = [
    ...facts.map(({ key, value, ts }) => ({ key, value, at: Math.min(Date.parse(ts), start) })),
    ...Object.entries(surroundings).map(([key, value]) => ({ key, value, at: start })),
  ];
  return known.flatMap(({ key, value, at }): Step[] =>
    typeof value === "string" ? [{ type: "write", key, value, at, isInitial: true }] : [],
  );
}
