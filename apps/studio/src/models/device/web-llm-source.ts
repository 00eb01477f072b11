import { modelCopy, modelErrors } from "../../copy/models.ts";
import type { ModelChoice, ModelLoading, ModelSource, Opening, OpenModel } from "../chat-model.ts";
import { ModelError, reasonOf } from "../model-error.ts";
import type { LoadReport, RunningModel, WebLlmRuntime } from "./web-llm-runtime.ts";

const PREFIX = "web-llm:";
const { webLlm: webLlmCopy } = modelCopy;

interface WebLlmSourceOptions {
  readonly gpu: Gpu | undefined;
  readonly isSecure: boolean;
  /** Fetches WebLLM (6.6 MB). */
  readonly load: () => Promise<WebLlmRuntime>;
  /** True if a model was ever downloaded. Calling WebLLM itself would load it. */
  readonly hasDownloads: () => Promise<boolean>;
}

/** Models that run in the page on the graphics card. */
export class WebLlmSource implements ModelSource {
  readonly #options: WebLlmSourceOptions;
  #gpu: FoundGpu | undefined;
  #downloaded: ReadonlySet<string> = new Set();

  constructor(options: WebLlmSourceOptions) {
    this.#options = options;
  }

  owns(choiceId: string): boolean {
    return choiceId.startsWith(PREFIX);
  }

  choices(): readonly ModelChoice[] {
    const missing = this.#gpu !== undefined && "missing" in this.#gpu ? this.#gpu.missing : undefined;
    return CATALOG.map((entry) => ({
      id: PREFIX + entry.id,
      label: entry.label,
      place: "device",
      detail: webLlmCopy.detail(entry.remark, this.#downloadInWords(entry)),
      ...(missing !== undefined && { unavailable: missing }),
    }));
  }

  async look(): Promise<void> {
    const gpu = await this.#findGpu();
    if ("missing" in gpu || !(await this.#options.hasDownloads())) return;
    try {
      const runtime = await this.#options.load();
      const answers = await Promise.all(
        CATALOG.map(async (entry) => ((await runtime.isDownloaded(modelIdFor(entry, gpu))) ? [entry.id] : [])),
      );
      this.#downloaded = new Set(answers.flat());
    } catch {
      // Unknown: a downloaded model is then offered as a download, and opens from the device's cache.
      this.#downloaded = new Set();
    }
  }

  async opensQuietly(choiceId: string): Promise<boolean> {
    return this.#downloaded.has(choiceId.slice(PREFIX.length));
  }

  async open(choiceId: string, opening: Opening): Promise<OpenModel> {
    const entry = CATALOG.find(({ id }) => PREFIX + id === choiceId);
    if (entry === undefined) throw new ModelError("unavailable", modelErrors.gone);
    const gpu = await this.#findGpu();
    if ("missing" in gpu) throw new ModelError("unavailable", gpu.missing);
    opening.onProgress({ text: modelCopy.gettingReady });
    const modelId = modelIdFor(entry, gpu);
    const running = await this.#start(entry, modelId, opening);
    this.#downloaded = new Set([...this.#downloaded, entry.id]);
    return chatModel(choiceId, entry, modelId, running, opening);
  }

  async #start(entry: CatalogModel, modelId: string, { signal, onProgress }: Opening): Promise<RunningModel> {
    try {
      const runtime = await this.#options.load();
      const onReport = (report: LoadReport) => onProgress(progressOf(report, entry));
      return await runtime.open(modelId, { signal, onReport });
    } catch (error) {
      throw signal.aborted ? signal.reason : explainOpening(entry.label, error);
    }
  }

  #downloadInWords({ id, downloadMb }: CatalogModel): string {
    return this.#downloaded.has(id) ? webLlmCopy.downloaded : webLlmCopy.download(sizeInWords(downloadMb));
  }

  async #findGpu(): Promise<FoundGpu> {
    const { gpu, isSecure } = this.#options;
    this.#gpu ??= await findGpu(gpu, isSecure);
    return this.#gpu;
  }
}

function modelIdFor(entry: CatalogModel, { hasHalfPrecision }: { readonly hasHalfPrecision: boolean }): string {
  return hasHalfPrecision ? entry.f16 : entry.f32;
}

async function chatModel(
  choiceId: string,
  { label, contextLimit }: CatalogModel,
  modelId: string,
  running: RunningModel,
  { onLost }: Opening,
): Promise<OpenModel> {
  const { withModelErrors } = await import("../with-model-errors.ts");
  const disposal = new AbortController();
  const end = (error: ModelError) => {
    if (disposal.signal.aborted) return;
    disposal.abort(error);
    running.close();
    if (error.problem === "lost") onLost(error);
  };
  const explain = (error: unknown) => {
    const explained = explainAnswering(label, running.takeFailure() ?? error);
    if (explained.problem === "lost") end(explained);
    return explained;
  };
  running.dead.addEventListener("abort", () => end(explainAnswering(label, running.dead.reason)));
  return {
    model: {
      choiceId,
      modelId,
      label,
      contextLimit,
      place: "device",
      languageModel: withModelErrors(running.languageModel, { explain, disposed: disposal.signal }),
    },
    close: () => end(new ModelError("closed", modelErrors.closed(label))),
  };
}

/** Progress for a person: WebLLM's own texts name seconds and shards. */
function progressOf({ progress, text }: LoadReport, entry: CatalogModel): Pick<ModelLoading, "progress" | "text"> {
  if (text.startsWith("Fetching")) {
    const done = sizeInWords(progress * entry.downloadMb);
    return { progress, text: webLlmCopy.downloading(done, sizeInWords(entry.downloadMb)) };
  }
  if (text.startsWith("Loading model")) return { progress, text: webLlmCopy.fromDevice };
  return { text: webLlmCopy.preparing };
}

const { webLlm: texts } = modelErrors;

/** Explains why a model could not be opened. WebLLM's worker forwards only the message of an error. */
function explainOpening(label: string, error: unknown): ModelError {
  const reason = reasonOf(error);
  if (isOutOfMemory(reason)) {
    return new ModelError("memory", texts.noMemory(label));
  }
  if (/quota/i.test(reason)) {
    return new ModelError("storage", texts.noSpace(label));
  }
  if (/WebGPU|compatible GPU|Cannot initialize runtime|shader-f16|requires feature/i.test(reason)) {
    return new ModelError("unavailable", texts.unsupported(label));
  }
  if (/fetch|network|ERR_|connection|404|integrity/i.test(reason)) {
    return new ModelError("unreachable", texts.interrupted(label));
  }
  return new ModelError("failed", texts.notOpened(label, short(reason)));
}

/** Explains why an answer stopped. */
function explainAnswering(label: string, error: unknown): ModelError {
  const reason = reasonOf(error);
  if (isLost(reason)) {
    return new ModelError("lost", texts.lost(label));
  }
  if (/context window/i.test(reason)) {
    return new ModelError("too-long", modelErrors.tooLong(label));
  }
  return new ModelError("failed", modelErrors.noReply(label, short(reason)));
}

function isOutOfMemory(reason: string): boolean {
  return /out of memory|OOM|device was lost|DeviceLost|allocation failed|bad_alloc|cannot enlarge memory/i.test(reason);
}

/** WebLLM unloads the model after it lost its device, so each later request fails. */
function isLost(reason: string): boolean {
  return (
    isOutOfMemory(reason) ||
    /not loaded|disposed|device is lost|external Instance reference no longer exists|worker/i.test(reason)
  );
}

function short(reason: string): string {
  const text = reason
    .replace(/^\w*Error: /, "")
    .trim()
    .slice(0, 200);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const { remarks } = modelCopy.webLlm;

/** A model from WebLLM's list that runs in the page. */
interface CatalogModel {
  /** The part of a model id after `web-llm:`. */
  readonly id: string;
  readonly label: string;
  /** A short description of its quality. */
  readonly remark: string;
  /** Ids in WebLLM's list: for GPUs with half-precision numbers, and for others. */
  readonly f16: string;
  readonly f32: string;
  /** Weights have 4.5 bits each in both. Tokenizer and program add some 10 MB. */
  readonly downloadMb: number;
  readonly contextLimit: number;
}

const CONTEXT_LIMIT = 4_096;

/** Small enough for most computers, the smallest first. */
export const CATALOG: readonly CatalogModel[] = [
  entry("SmolLM2-360M", "SmolLM2 360M", remarks.smallest, 210),
  entry("Qwen2.5-0.5B", "Qwen 2.5 0.5B", remarks.small, 290),
  entry("Llama-3.2-1B", "Llama 3.2 1B", remarks.recommended, 710),
  entry("Qwen2.5-1.5B", "Qwen 2.5 1.5B", remarks.better, 880),
  entry("Llama-3.2-3B", "Llama 3.2 3B", remarks.best, 1_820),
];

function entry(id: string, label: string, remark: string, downloadMb: number): CatalogModel {
  const named = (numbers: string) => `${id}-Instruct-q4${numbers}_1-MLC`;
  return { id, label, remark, f16: named("f16"), f32: named("f32"), downloadMb, contextLimit: CONTEXT_LIMIT };
}

/** "290 MB", "1.8 GB". */
function sizeInWords(megabytes: number): string {
  return megabytes < 1_000 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1_000).toFixed(1)} GB`;
}

/** The used part of `navigator.gpu`. */
export interface Gpu {
  requestAdapter(): Promise<{ readonly features: { has(name: string): boolean } } | null>;
}

/** Checks if this device can run a model in the page; if not, gives the reason for a person. */
type FoundGpu = { readonly hasHalfPrecision: boolean } | { readonly missing: string };

async function findGpu(gpu: Gpu | undefined, isSecure: boolean): Promise<FoundGpu> {
  if (!isSecure) return { missing: webLlmCopy.insecure };
  if (gpu === undefined) return { missing: webLlmCopy.noWebGpu };
  try {
    const adapter = await gpu.requestAdapter();
    if (adapter !== null) return { hasHalfPrecision: adapter.features.has("shader-f16") };
  } catch {
    // Some drivers throw instead of returning nothing. Both mean that there is no GPU.
  }
  return { missing: webLlmCopy.noCard };
}
