import { omitUndefined } from "../../message/read-json.ts";
import type { Session } from "../../session/session.ts";
import type { SessionOptions, Throughline } from "../../throughline.ts";

/** Sessions of one user that are kept at hand; what the others show is read again when they go on. */
const MOST_OPEN = 32;
/** Of what a model takes, a reply is given no more than this share. */
const MOST_REPLY = 0.9;

export interface ModelRoom {
  readonly modelId: string;
  /** Tokens that it takes in all. */
  readonly contextLimit: number;
  /** Tokens that the request asks for the reply. */
  readonly maxTokens: number | undefined;
}

/** Options under which a window is made smaller only where it would not fit otherwise. */
export function settingsFor({ modelId, contextLimit, maxTokens }: ModelRoom, remember: boolean): SessionOptions {
  const reply = maxTokens === undefined ? undefined : Math.min(maxTokens, Math.floor(contextLimit * MOST_REPLY));
  return omitUndefined({
    modelId,
    contextLimit,
    outputReserve: reply,
    config: { thresholdPercent: 1, systemReserve: 0, safetyBuffer: 0 },
    remember: remember || undefined,
  });
}

interface Kept {
  readonly session: Session;
  readonly key: string;
}

const open = new WeakMap<Throughline, Map<string, Kept>>();

/** A session under these options; the same object as the last time, where they have not changed. */
export function openSession(throughline: Throughline, id: string, settings: SessionOptions): Session {
  const kept = open.get(throughline) ?? new Map<string, Kept>();
  open.set(throughline, kept);
  const key = JSON.stringify(settings);
  const known = kept.get(id);
  kept.delete(id);
  const isSame = known?.key === key && throughline.session(id) === known.session;
  const session = isSame ? known.session : throughline.session(id, settings);
  kept.set(id, { session, key });
  const [oldest] = kept.keys();
  if (kept.size > MOST_OPEN && oldest !== undefined) {
    kept.delete(oldest);
    // One that was just opened holds nothing yet.
    throughline.session(oldest, {});
  }
  return session;
}
