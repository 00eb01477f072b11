import { readFile } from "node:fs/promises";
import path from "node:path";
import { type AskedQuestion, type Conversation, MONTHS, type SaidTurn } from "./conversation.ts";

interface RawTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface RawQuestion {
  readonly question: string;
  readonly evidence?: readonly string[];
  readonly category: number;
}

interface RawSample {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, string | readonly RawTurn[]>>;
  readonly qa: readonly RawQuestion[];
}

/** Categories as numbered by the authors. The fifth asks for facts that the conversation does not contain. */
const CATEGORIES = ["", "multi-hop", "temporal", "open-domain", "single-hop", "adversarial"];

/** Reads conversations of two people over months, with questions and the turns that answer them. */
export async function readLocomo(folder: string): Promise<Conversation[]> {
  const samples: readonly RawSample[] = JSON.parse(await readFile(path.join(folder, "locomo-dev.json"), "utf8"));
  return samples.map(({ sample_id, conversation, qa }) => {
    const turns = readSessions(conversation);
    const known = new Set(turns.map(({ id }) => id));
    return { name: sample_id, turns, questions: qa.map((raw) => readQuestion(raw, known)) };
  });
}

function readSessions(conversation: RawSample["conversation"]): SaidTurn[] {
  return Object.entries(conversation).flatMap(([name, turns]) => {
    if (typeof turns === "string") return [];
    const at = readTime(String(conversation[`${name}_date_time`]));
    return turns.map(
      ({ dia_id, speaker, text, blip_caption }, position): SaidTurn => ({
        id: dia_id,
        sessionId: name,
        position,
        role: "user",
        speaker,
        at,
        text: blip_caption === undefined ? text : `${text} [shared: ${blip_caption}]`,
      }),
    );
  });
}

/** "1:56 pm on 8 May, 2023", read as UTC. */
function readTime(text: string): number {
  const [, hour, minute, half, day, month = "", year] = /(\d+):(\d+) ([ap]m) on (\d+) (\w+), (\d+)/.exec(text) ?? [];
  const hours = (Number(hour) % 12) + (half === "pm" ? 12 : 0);
  return Date.UTC(Number(year), MONTHS.indexOf(month), Number(day), hours, Number(minute));
}

function readQuestion({ question, evidence = [], category }: RawQuestion, known: ReadonlySet<string>): AskedQuestion {
  return {
    text: question,
    category: CATEGORIES[category] ?? String(category),
    evidence: evidence.filter((id) => known.has(id)),
    isAnswerable: category !== 5,
  };
}
