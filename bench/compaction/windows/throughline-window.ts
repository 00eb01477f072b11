import type { Message } from "throughline";
import { convertModelToRich } from "throughline/messages";
import type { BenchThroughline } from "../bench-throughline.ts";
import type { WindowPolicy } from "../policy.ts";

/** Throughline's `prepare` for the session before the compaction, without a model and without memory. */
export function throughlineWindow(throughline: BenchThroughline): WindowPolicy {
  return {
    name: "throughline",
    family: "throughline",
    fit: async (point, budget) => {
      const session = throughline.session(`window ${point.id} ${budget}`, { contextLimit: budget, outputReserve: 0 });
      await session.append(point.pre);
      return readTurn(await session.prepare({ budget, memory: false }));
    },
  };
}

/** A prepared turn as messages that are counted like the others, including the system text. */
export function readTurn(turn: {
  readonly messages: Parameters<typeof convertModelToRich>[0];
  readonly system?: string;
}): Message[] {
  const system = turn.system ? [{ role: "system" as const, content: turn.system }] : [];
  return convertModelToRich([...system, ...turn.messages]);
}
