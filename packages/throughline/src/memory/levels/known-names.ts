/** A name that work on software knows, with what it is used for and how it is written short. */
export interface KnownName {
  readonly name: string;
  /** What it is one of: `db`, `language`, … */
  readonly slot: string;
  /** As it is written in passing, and as short as it gets. */
  readonly casual: string;
  readonly short: string;
}

/** By slot: `Name` or `Name/casual/short`, with other spellings behind `=`. */
const NAMES = `
  db: PostgreSQL/postgres/pg=postgre MySQL MariaDB SQLite MongoDB/mongo/mongo CockroachDB/cockroach/crdb DynamoDB/dynamo/ddb
    Cassandra Firestore Supabase PlanetScale Neo4j ClickHouse DuckDB Oracle BigQuery/bq/bq Snowflake
  cache: Redis Memcached Valkey
  queue: RabbitMQ/rabbit/rmq Kafka SQS NATS BullMQ Celery Sidekiq
  search: Elasticsearch/elastic/es OpenSearch Meilisearch Algolia Typesense Solr
  language: TypeScript/typescript/ts JavaScript/javascript/js Python/python/py Rust/rust/rs Golang/go/go Kotlin/kotlin/kt Swift
    Java Ruby/ruby/rb PHP Elixir Scala Haskell Clojure Erlang Zig Dart Lua Perl
  runtime: Node.js/node/node=nodejs Deno Bun
  framework: React Vue.js/vue/vue=vuejs Svelte Angular Next.js/next/next=nextjs Nuxt Remix Astro Express.js/express/express=express
    Fastify NestJS/nest/nest Hono Django Flask FastAPI Rails Laravel Spring Phoenix SolidJS/solid/solid Electron Flutter
  package_manager: pnpm npm Yarn pip Poetry Cargo Homebrew
  test_runner: Vitest Jest Mocha Playwright Cypress pytest RSpec JUnit
  bundler: Vite Webpack Rollup esbuild Turbopack Parcel
  linter: ESLint Biome Prettier Ruff Stylelint Rubocop
  orm: Prisma Drizzle TypeORM Sequelize Mongoose SQLAlchemy Hibernate Knex
  ci: Jenkins CircleCI Travis Buildkite TeamCity
  hosting: AWS GCP Azure Vercel Netlify Heroku Fly.io/fly/fly Cloudflare/cloudflare/cf DigitalOcean Render Railway
  containers: Docker Kubernetes/kubernetes/k8s=kube Podman Nomad Helm
  iac: Terraform/terraform/tf Pulumi Ansible CloudFormation
  api_style: GraphQL/graphql/gql REST gRPC tRPC SOAP
  auth: OAuth JWT SAML Auth0 Okta Keycloak sessions
  styling: Tailwind Bootstrap Sass Bulma
  editor: Neovim/nvim/nvim Vim Emacs Zed Sublime IntelliJ WebStorm Xcode
  vcs: GitHub GitLab Bitbucket Mercurial Subversion
  os: Linux macOS Windows Ubuntu Debian Fedora NixOS
  monitoring: Prometheus Grafana Datadog Sentry PostHog OpenTelemetry/otel/otel
`;

const known = new Map<string, KnownName>();
for (const [, slot = "", names = ""] of NAMES.matchAll(/^ {2}(\w+): ((?:.|\n {4})+)$/gm)) {
  for (const entry of names.trim().split(/\s+/)) addName(slot, entry);
}

function addName(slot: string, entry: string): void {
  const [spelled = "", ...others] = entry.split("=");
  const [name = "", casual = name.toLowerCase(), short = casual] = spelled.split("/");
  const made = { name, slot, casual, short };
  // "go" and "next" are words of every day: only their full names are known.
  const spellings = [
    name,
    ...(casual.length > 4 ? [casual] : []),
    ...(short.length > 1 && hasNoMeaning(short) ? [short] : []),
    ...others,
  ];
  for (const spelling of spellings) known.set(spelling.toLowerCase(), made);
}

/** Whether a short form is a word of its own. */
function hasNoMeaning(short: string): boolean {
  return !/^(?:go|next|node|nest|solid|express|fly|es|bq|cf|rs|rb|kt|tf|elastic|rabbit|dynamo)$/.test(short);
}

/** What is known of a name, however it is written. */
export function findName(word: string): KnownName | undefined {
  return known.get(word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
}
