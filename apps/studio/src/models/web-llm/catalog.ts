import { modelCopy } from "../../copy/models.ts";

const { remarks } = modelCopy.webLlm;

/** A model from WebLLM's list that runs in the page. */
export interface CatalogModel {
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
export function sizeInWords(megabytes: number): string {
  return megabytes < 1_000 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1_000).toFixed(1)} GB`;
}
