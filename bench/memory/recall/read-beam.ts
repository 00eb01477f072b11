import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type AskedQuestion, type Conversation, MONTHS, type SaidTurn } from "./conversation.ts";

interface RawMessage {
  readonly id: number;
  readonly role: string;
  readonly content: string;
  readonly time_anchor?: string;
}

interface RawBatch {
  readonly batch_number: number;
  readonly turns: readonly (readonly RawMessage[])[];
}

interface RawProbe {
  readonly question: string;
  readonly source_chat_ids?: unknown;
}

/** Reads long chats of one person with an assistant, with probes and the messages that answer them. */
export async function readBeam(folder: string): Promise<Conversation[]> {
  const names = (await readdir(folder)).sort((a, b) => Number(a) - Number(b));
  return Promise.all(
    names.map(async (name) => {
      const batches: readonly RawBatch[] = JSON.parse(await readFile(path.join(folder, name, "chat.json"), "utf8"));
      const file = path.join(folder, name, "probing_questions", "probing_questions.json");
      const probes: Readonly<Record<string, readonly RawProbe[]>> = JSON.parse(await readFile(file, "utf8"));
      return { name: `chat ${name}`, turns: readTurns(batches), questions: readProbes(probes) };
    }),
  );
}

function readTurns(batches: readonly RawBatch[]): SaidTurn[] {
  let at: number | undefined;
  return batches.flatMap(({ batch_number, turns }) =>
    turns.flat().map(({ id, role, content, time_anchor }, position): SaidTurn => {
      at = readDay(time_anchor) ?? at;
      const turn = { id: String(id), sessionId: String(batch_number), position, role };
      // User messages end with marks of their origin.
      const text = content.replace(/\s*->->\s*[\d,]+\s*$/, "");
      return at === undefined ? { ...turn, text } : { ...turn, text, at };
    }),
  );
}

/** "March-15-2024", read as UTC. */
function readDay(text: string | undefined): number | undefined {
  const [, month = "", day, year] = /(\w+)-(\d+)-(\d+)/.exec(text ?? "") ?? [];
  return day === undefined ? undefined : Date.UTC(Number(year), MONTHS.indexOf(month), Number(day));
}

function readProbes(probes: Readonly<Record<string, readonly RawProbe[]>>): AskedQuestion[] {
  return Object.entries(probes).flatMap(([category, list]) =>
    list.map(({ question, source_chat_ids }) => ({
      text: question,
      category: category.replaceAll("_", " "),
      evidence: [...new Set(flatIds(source_chat_ids))],
      isAnswerable: category !== "abstention",
    })),
  );
}

/** Ids are in a list, or in lists by name. */
function flatIds(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(flatIds);
  return value === undefined || value === null ? [] : [String(value)];
}
