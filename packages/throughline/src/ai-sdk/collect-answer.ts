import { isRecord, type JsonRecord, omitUndefined } from "../internal/json.ts";

/** Parts of a stream that stand as they are in the answer. */
const WHOLE: readonly unknown[] = [
  "tool-call",
  "tool-result",
  "file",
  "reasoning-file",
  "custom",
  "source",
  "tool-approval-request",
];

interface Growing {
  type: "text" | "reasoning";
  text: string;
  providerMetadata: unknown;
}

/** Puts the parts of a stream together to what `doGenerate` would have answered. */
export class AnswerCollector {
  readonly #content: (Growing | JsonRecord)[] = [];
  readonly #growing = new Map<string, Growing>();
  /** The tokens that the provider counted for the prompt, once it has finished. */
  finish: JsonRecord | undefined;

  get content(): readonly JsonRecord[] {
    return this.#content.map((part) => omitUndefined({ ...part }));
  }

  take(part: unknown): void {
    if (!isRecord(part)) return;
    if (part.type === "finish") this.finish = part;
    else if (WHOLE.includes(part.type)) this.#content.push(part);
    else this.#grow(part);
  }

  #grow({ type, id, delta, providerMetadata }: JsonRecord): void {
    const [kind, stage] = typeof type === "string" ? type.split("-") : [];
    if ((kind !== "text" && kind !== "reasoning") || typeof id !== "string") return;
    const name = `${kind} ${id}`;
    const known = stage === "start" ? undefined : this.#growing.get(name);
    const grown = known ?? { type: kind, text: "", providerMetadata: undefined };
    if (known === undefined) {
      this.#content.push(grown);
      this.#growing.set(name, grown);
    }
    if (typeof delta === "string") grown.text += delta;
    if (providerMetadata !== undefined) grown.providerMetadata = providerMetadata;
  }
}
