import process from "node:process";
import { type DocumentTask, type DocumentWord, documentOf } from "./document-task.ts";
import { openStore } from "./open-store.ts";

// Writes a large document as fast as possible, and reports each acknowledged write.

const { store: where } = JSON.parse(process.argv[2] ?? "") as DocumentTask;

function say(word: DocumentWord): void {
  process.stdout.write(`${JSON.stringify(word)}\n`);
}

const { documents } = openStore(where);
say({ revision: 0 });
for (;;) {
  const { revision = 0 } = (await documents.get("user:ada", "habits")) ?? {};
  const isWritten = await documents.put("user:ada", "habits", { revision, value: documentOf(revision + 1) });
  if (isWritten) say({ revision: revision + 1 });
}
