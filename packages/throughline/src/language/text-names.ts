import { baseForm } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";
import { wordList, wordSet } from "./words.ts";

/** A tool, language or service of software development. */
export interface KnownName {
  readonly name: string;
  /** The usual short spelling, and the shortest one. */
  readonly casual: string;
  readonly short: string;
}

/** Tools, languages and services: `Name` or `Name/casual/short`, other spellings after `=`. */
const NAMES = wordList(`
  PostgreSQL/postgres/pg=postgre MySQL MariaDB SQLite MongoDB/mongo/mongo CockroachDB/cockroach/crdb DynamoDB/dynamo/ddb
  Cassandra Firestore Supabase PlanetScale Neo4j ClickHouse DuckDB Oracle BigQuery/bq/bq Snowflake
  Redis Memcached Valkey
  RabbitMQ/rabbit/rmq Kafka SQS NATS BullMQ Celery Sidekiq
  Elasticsearch/elastic/es OpenSearch Meilisearch Algolia Typesense Solr
  TypeScript/typescript/ts JavaScript/javascript/js Python/python/py Rust/rust/rs Golang/go/go Kotlin/kotlin/kt Swift
  Java Ruby/ruby/rb PHP Elixir Scala Haskell Clojure Erlang Zig Dart Lua Perl
  Node.js/node/node=nodejs Deno Bun
  React Vue.js/vue/vue=vuejs Svelte Angular Next.js/next/next=nextjs Nuxt Remix Astro Express.js/express/express=express
  Fastify NestJS/nest/nest Hono Django Flask FastAPI Rails Laravel Spring Phoenix SolidJS/solid/solid Electron Flutter
  pnpm npm Yarn pip Poetry Cargo Homebrew
  Vitest Jest Mocha Playwright Cypress pytest RSpec JUnit
  Vite Webpack Rollup esbuild Turbopack Parcel
  ESLint Biome Prettier Ruff Stylelint Rubocop
  Prisma Drizzle TypeORM Sequelize Mongoose SQLAlchemy Hibernate Knex
  Jenkins CircleCI Travis Buildkite TeamCity
  AWS GCP Azure Vercel Netlify Heroku Fly.io/fly/fly Cloudflare/cloudflare/cf DigitalOcean Render Railway
  Docker Kubernetes/kubernetes/k8s=kube Podman Nomad Helm
  Terraform/terraform/tf Pulumi Ansible CloudFormation
  GraphQL/graphql/gql REST gRPC tRPC SOAP
  OAuth JWT SAML Auth0 Okta Keycloak sessions
  Tailwind Bootstrap Sass Bulma
  Neovim/nvim/nvim Vim Emacs Zed Sublime IntelliJ WebStorm Xcode
  GitHub GitLab Bitbucket Mercurial Subversion
  Linux macOS Windows Ubuntu Debian Fedora NixOS
  Prometheus Grafana Datadog Sentry PostHog OpenTelemetry/otel/otel
`);

const known = new Map<string, KnownName>();
for (const entry of NAMES) addName(entry);

function addName(entry: string): void {
  const [spelled = "", ...others] = entry.split("=");
  const [name = "", casual = name.toLowerCase(), short = casual] = spelled.split("/");
  const made = { name, casual, short };
  // "go" and "next" are ordinary words: only the full names count.
  const spellings = [
    name,
    ...(casual.length > 4 ? [casual] : []),
    ...(short.length > 1 && hasNoMeaning(short) ? [short] : []),
    ...others,
  ];
  for (const spelling of spellings) known.set(spelling.toLowerCase(), made);
}

/** True if a short spelling is not an ordinary word. */
function hasNoMeaning(short: string): boolean {
  return !/^(?:go|next|node|nest|solid|express|fly|es|bq|cf|rs|rb|kt|tf|elastic|rabbit|dynamo)$/.test(short);
}

/** Longer than any known name with punctuation around it. */
const MAX_NAME_LENGTH = 64;

/**
 * Finds the known tool, language or service with this name, in any spelling.
 *
 * @example
 * findName("postgres")?.name; // "PostgreSQL"
 */
export function findName(word: string): KnownName | undefined {
  if (word.length > MAX_NAME_LENGTH) return undefined;
  return known.get(word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}+#.'’-]*[\p{L}\p{N}+#]|\p{Lu}/gu;
/** Subjects of stored facts, which are not names. */
const NO_NAMES = wordSet("user users");
/** Stop words that are also first names. */
const FIRST_NAMES = wordSet("will may");

export interface NameOptions {
  /** Includes known tools in lower case, each by its usual name (default: false). */
  readonly tools?: boolean;
}

/**
 * The names in a text in lower case and in order: capitalized words that are not stop words, without `'s`.
 *
 * @example
 * readNames("The team met Ada's friend in Rome"); // ["ada", "rome"]
 * readNames("we use postgres", { tools: true }); // ["postgresql"]
 */
export function readNames(text: string, { tools = false }: NameOptions = {}): string[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const tool = tools ? findName(word)?.name.toLowerCase() : undefined;
    if (tool !== undefined) return [tool];
    const name = word.replace(/['’].*$/, "").toLowerCase();
    return /^\p{Lu}/u.test(word) && isName(name, text.slice(Math.max(0, index - 4), index)) ? [name] : [];
  });
}

/** True for a name. At the start of a sentence, a capital letter does not make "Will" a name. */
function isName(name: string, before: string): boolean {
  if (NO_NAMES.has(name)) return false;
  if (FIRST_NAMES.has(name)) return /[\p{L}\p{N},]\s*$/u.test(before);
  return !isStopWord(name, { fillers: true }) && !isStopWord(baseForm(name), { fillers: true });
}
