import { expect, it } from "vitest";
import { codingProfile } from "../compact/profiles.ts";
import { clock, steps, task } from "../session/long-session.fixture.ts";
import { createThroughline } from "../throughline.ts";
import type { ThroughlineOptions } from "../throughline-api.ts";
import { chatServer, sendError, sendText } from "./chat-server.fixture.ts";
import { openAiCompatibleModel } from "./openai-compatible-model.ts";
import { recordingTextModel } from "./recording-model.ts";
import { replayingModel, replayingTextModel } from "./replaying-model.ts";
import { createTape } from "./tape.ts";

const PROSE = codingProfile.sections
  .map(({ title }) => `### ${title}\nTwelve files are read, and none is changed yet.`)
  .join("\n\n");

async function compacted(options: ThroughlineOptions) {
  const tl = await createThroughline({ clock, ...options });
  const session = tl.session("s", { modelId: "gpt-4o", contextLimit: 24_000 });
  await session.append([{ role: "user", content: task }, ...steps(40)]);
  return session.compact();
}

it("summarizes a session over HTTP despite a busy server, and again from a tape without it", async () => {
  const server = await chatServer((response, _, index) =>
    index === 0 ? sendError(response, 503, "Later.", { "retry-after": "0" }) : sendText(response, PROSE),
  );
  const tape = createTape();
  const model = openAiCompatibleModel({ baseUrl: server.baseUrl, model: "m", contextLimit: 100_000 });
  const live = await compacted({ model: recordingTextModel(model, tape) });
  await server.close();
  expect(live?.withoutProse).toBeUndefined();
  expect(live?.summary).toContain("Twelve files are read");
  // One recorded answer for repeated requests.
  expect(tape.calls).toHaveLength(1);
  expect(await compacted({ model: replayingTextModel(JSON.parse(JSON.stringify(tape))) })).toEqual(live);
});

it("continues without prose if the model server is gone, and reports why", async () => {
  const server = await chatServer((response) => sendText(response, PROSE));
  await server.close();
  const event = await compacted({
    model: openAiCompatibleModel({ baseUrl: server.baseUrl, model: "m", maxRetries: 0 }),
  });
  expect(event?.withoutProse).toMatch(/^The model at 127\.0\.0\.1:\d+ is unreachable/);
});

it("accepts the tape of a language model as its model", async () => {
  const model = { specification: "v4", modelId: "m", provider: "p", supportedUrls: {} };
  const event = await compacted({ model: replayingModel({ ...createTape(), model }) });
  expect(event?.withoutProse).toMatch(/The tape has no calls/);
});
