import { JSONParser } from "@streamparser/json";
import type { RecordPlace } from "./transcript.ts";

/** Takes a JSON document in pieces and gives out what stands at the paths, each as soon as it is complete. */
export function createDocumentSplitter(
  paths: readonly string[],
  onValue: (value: unknown, place: RecordPlace) => void,
  onBroken: (line: number, problem: string) => void,
) {
  let count = 0;
  let broken = false;
  const parser = new JSONParser({ paths: [...paths], keepStack: false });
  const fail = (problem: string) => {
    if (!broken) onBroken(count + 1, problem);
    broken = true;
  };
  parser.onValue = ({ value, key, stack }) => {
    count += 1;
    const path = [...stack.slice(1).map((level) => level.key), key].filter((step) => step !== undefined);
    onValue(value, { line: count, path });
  };
  parser.onError = () => {
    fail(parser.isEnded ? MORE : `the document breaks off or is not JSON after record ${count}`);
  };
  return {
    push(chunk: string): void {
      if (broken) return;
      if (!parser.isEnded) parser.write(chunk);
      else if (chunk.trim() !== "") fail(MORE);
    },
    end(): void {
      if (!broken && !parser.isEnded) parser.end();
      if (!parser.isEnded) fail(`the document breaks off after record ${count}`);
    },
  };
}

const MORE = "there is more text behind the end of the document";
