import path from "node:path";
import { readSessions } from "../../real-sessions.ts";
import { readDialogues } from "../extraction/read-dialogues.ts";
import type { Conversation, SaidTurn } from "../recall/conversation.ts";
import { readBeam } from "../recall/read-beam.ts";
import { splitSentences } from "../recall/split-sentences.ts";
import { answerable } from "./measure-recall.ts";

/** A question with the ids of the turns that answer it, in {@link mixTurns}. */
export interface MixedQuestion {
  readonly text: string;
  readonly evidence: readonly string[];
}

/**
 * The conversations once, and then different real sentences of other sources until there are enough turns. The
 * sentences are repeated as new sessions only if there are too few.
 */
export async function mixTurns(
  conversations: readonly Conversation[],
  folder: string,
  size: number,
): Promise<readonly SaidTurn[]> {
  const turns = conversations.flatMap(({ name, turns: said }) =>
    said.map((turn) => ({ ...turn, id: mixedId(name, turn.id), sessionId: mixedId(name, turn.sessionId) })),
  );
  const others = await readOthers(folder);
  for (let round = 0; turns.length < size && others.length > 0; round += 1) {
    for (const turn of others.slice(0, size - turns.length)) {
      turns.push({ ...turn, id: `${round}/${turn.id}`, sessionId: `${round}/${turn.sessionId}` });
    }
  }
  return turns.slice(0, size);
}

export function mixedQuestions(conversations: readonly Conversation[]): readonly MixedQuestion[] {
  return conversations.flatMap((conversation) =>
    answerable(conversation).map(({ text, evidence }) => ({
      text,
      evidence: evidence.map((id) => mixedId(conversation.name, id)),
    })),
  );
}

/** Conversations use the same ids. */
function mixedId(conversation: string, id: string): string {
  return `${conversation}/${id}`;
}

/** Chats with an assistant (BEAM), dialogues of two people (MSC) and sessions of a coding agent. */
async function readOthers(folder: string): Promise<readonly SaidTurn[]> {
  const chats = await readBeam(path.join(folder, "beam", "100K"));
  const dialogues = await readDialogues(path.join(folder, "msc_personasummary"));
  const sessions = await readSessions(folder, "claude-code", { count: Number.POSITIVE_INFINITY, minTokens: 0 });
  const said: Omit<SaidTurn, "id" | "position">[] = [
    ...chats.flatMap(({ name, turns }) =>
      turns.map((turn) => ({ ...turn, sessionId: `beam ${name} ${turn.sessionId}` })),
    ),
    ...dialogues.flatMap(({ turns }, at) =>
      turns.map(({ speaker, text }) => ({ sessionId: `msc ${at}`, role: "user", speaker, text })),
    ),
    ...sessions.flatMap(({ id, messages }) =>
      messages.flatMap(({ role, parts }) =>
        parts.flatMap((part) => (part.type === "text" ? { sessionId: `agent ${id}`, role, text: part.text } : [])),
      ),
    ),
  ];
  const known = new Set<string>();
  const positions = new Map<string, number>();
  return said.flatMap((turn) =>
    splitSentences(turn.text).flatMap((text): SaidTurn[] => {
      if (known.has(text)) return [];
      known.add(text);
      const position = positions.get(turn.sessionId) ?? 0;
      positions.set(turn.sessionId, position + 1);
      return [{ ...turn, id: `${turn.sessionId} ${position}`, position, text }];
    }),
  );
}
