import { wordEmbedder } from "throughline";

/** All packages with vectors use Throughline's bundled embedder. */
const embedder = wordEmbedder();

export const EMBEDDER = embedder.name;

export async function embedPassages(texts: readonly string[]): Promise<number[][]> {
  return (await embedder.embed(texts, "passage")).map((vector) => [...vector]);
}

export async function embedQuestion(text: string): Promise<number[]> {
  const [vector = []] = await embedder.embed([text], "query");
  return [...vector];
}

/** The embedding interface of LangChain and mem0. */
export const LANGCHAIN_EMBEDDINGS = {
  embedDocuments: (texts: string[]) => embedPassages(texts),
  embedQuery: (text: string) => embedQuestion(text),
};
