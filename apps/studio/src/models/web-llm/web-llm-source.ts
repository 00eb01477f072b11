import { modelErrors } from "../../copy/model-errors.ts";
import { modelCopy } from "../../copy/models.ts";
import type { ModelChoice, ModelLoading } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";
import type { ModelSource, Opening, OpenModel } from "../model-source.ts";
import { CATALOG, type CatalogModel, sizeInWords } from "./catalog.ts";
import { explainAnswering, explainOpening } from "./explain-web-llm.ts";
import { type FoundGpu, findGpu, type Gpu } from "./find-gpu.ts";
import type { LoadReport, RunningModel, WebLlmRuntime } from "./web-llm-runtime.ts";

const PREFIX = "web-llm:";
const { webLlm: copy } = modelCopy;

export interface WebLlmSourceOptions {
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
      detail: copy.detail(entry.remark, this.#downloadInWords(entry)),
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
    return this.#downloaded.has(id) ? copy.downloaded : copy.download(sizeInWords(downloadMb));
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
    return { progress, text: copy.downloading(done, sizeInWords(entry.downloadMb)) };
  }
  if (text.startsWith("Loading model")) return { progress, text: copy.fromDevice };
  return { text: copy.preparing };
}
