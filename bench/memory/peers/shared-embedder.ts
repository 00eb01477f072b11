import { wordEmbedder } from "../../../packages/throughline/src/embed/word-embedder.ts";

/** All packages that want vectors get those of the embedder that we ship. */
const embedder = wordEmbedder();

export const EMBEDDER = embedder.name;

export async function embedPassages(texts: readonly string[]): Promise<number[][]> {
  return (await embedder.embed(texts, "passage")).map((vector) => [...vector]);
}

export async function embedQuestion(text: string): Promise<number[]> {
  const [vector = []] = await embedder.embed([text], "query");
  return [...vector];
}

/** As LangChain and mem0 ask for vectors. */
export const LANGCHAIN_EMBEDDINGS = {
  embedDocuments: (texts: string[]) => embedPassages(texts),
  embedQuery: (text: string) => embedQuestion(text),
};
