/** Sources of a setting, strongest first. */
export const SETTING_SOURCES = ["flag", "environment", "file", "default"] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** Validates a value. Written by hand, because a schema library would slow down every start. */
interface Schema<T> {
  /** The valid value; `undefined` if it is invalid. */
  readonly read: (value: unknown) => T | undefined;
  readonly wanted: string;
}

export interface Setting<T = unknown> {
  readonly variable: string;
  readonly schema: Schema<T>;
  readonly description: string;
  /** Converts a variable of the environment to the type in the file. */
  readonly fromText?: (text: string) => unknown;
  /** Shown as set, but never its value. */
  readonly isSecret?: true;
  /** A path: in the file, relative to the file's folder, with `~` for the home folder. */
  readonly isPath?: true;
  /** Set if the setting is not allowed in the file: what to do instead. */
  readonly notInFile?: string;
}

function setting<T>(value: Setting<T>): Setting<T> {
  return value;
}

const toNumber = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);
const toBoolean = (text: string): unknown => ({ true: true, 1: true, false: false, 0: false })[text] ?? text;
const toList = (text: string): unknown =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

const isWord = (value: unknown): value is string => typeof value === "string" && value !== "";
const word: Schema<string> = {
  read: (value) => (isWord(value) ? value : undefined),
  wanted: "a non-empty string",
};
const words: Schema<readonly string[]> = {
  read: (value) => (Array.isArray(value) && value.every(isWord) ? value : undefined),
  wanted: "a list of non-empty strings",
};
const yesOrNo: Schema<boolean> = {
  read: (value) => (typeof value === "boolean" ? value : undefined),
  wanted: "true or false",
};

function wholeNumber(from: number, to = Number.POSITIVE_INFINITY): Schema<number> {
  return {
    read: (value) =>
      Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to ? Number(value) : undefined,
    wanted: `a whole number from ${from}${to === Number.POSITIVE_INFINITY ? "" : ` to ${to}`}`,
  };
}

/** All settings, by their names in the file. */
export const SETTINGS = {
  data: setting({
    variable: "THROUGHLINE_DATA",
    schema: word,
    description: "folder of the data",
    isPath: true,
  }),
  database_url: setting({
    variable: "THROUGHLINE_DATABASE_URL",
    schema: word,
    description: "PostgreSQL database to use instead of a folder",
    isSecret: true,
  }),
  project: setting({
    variable: "THROUGHLINE_PROJECT",
    schema: word,
    description: "default for --project in every command that takes it",
  }),
  exclude: setting({
    variable: "THROUGHLINE_EXCLUDE",
    schema: words,
    description: "folders that nothing is imported or learned from, such as ~/private",
    fromText: toList,
  }),
  host: setting({ variable: "THROUGHLINE_HOST", schema: word, description: "address the server listens on" }),
  port: setting({
    variable: "THROUGHLINE_PORT",
    schema: wholeNumber(0, 65_535),
    description: "port the server listens on",
    fromText: toNumber,
  }),
  require_token: setting({
    variable: "THROUGHLINE_REQUIRE_TOKEN",
    schema: yesOrNo,
    description: "require a token for every request, also from this machine",
    fromText: toBoolean,
  }),
  allowed_hosts: setting({
    variable: "THROUGHLINE_ALLOWED_HOSTS",
    schema: words,
    description: "host names that the server answers to",
    fromText: toList,
  }),
  rate_limit: setting({
    variable: "THROUGHLINE_RATE_LIMIT",
    schema: wholeNumber(1),
    description: "maximum requests per minute for each caller",
    fromText: toNumber,
  }),
  max_index_mb: setting({
    variable: "THROUGHLINE_MAX_INDEX_MB",
    schema: wholeNumber(1),
    description: "maximum memory of the server for search indexes, in MB (default 1024)",
    fromText: toNumber,
  }),
  search_workers: setting({
    variable: "THROUGHLINE_SEARCH_WORKERS",
    schema: wholeNumber(0, 64),
    description: "worker threads of the server for searches of large memories (default: cores - 1, at most 4)",
    fromText: toNumber,
  }),
  model_url: setting({
    variable: "THROUGHLINE_MODEL_URL",
    schema: word,
    description: "base URL of an OpenAI-compatible API; also extracts facts, judges contradictions, writes summaries",
  }),
  model_key: setting({
    variable: "THROUGHLINE_MODEL_KEY",
    schema: word,
    description: "API key for model_url",
    isSecret: true,
  }),
  model: setting({
    variable: "THROUGHLINE_MODEL",
    schema: word,
    description: "model to use (default: the first listed), and the only one to offer (default: all of model_url)",
  }),
  embedder_url: setting({
    variable: "THROUGHLINE_EMBEDDER_URL",
    schema: word,
    description: "base URL of an OpenAI-compatible API for embeddings",
  }),
  embedder_key: setting({
    variable: "THROUGHLINE_EMBEDDER_KEY",
    schema: word,
    description: "API key for embedder_url",
    isSecret: true,
  }),
  embedder_model: setting({
    variable: "THROUGHLINE_EMBEDDER_MODEL",
    schema: word,
    description: "embedding model of embedder_url (default: the embedder of the package)",
  }),
  anthropic_url: setting({
    variable: "THROUGHLINE_ANTHROPIC_URL",
    schema: word,
    description: "base URL of an Anthropic-compatible API",
  }),
  anthropic_key: setting({
    variable: "THROUGHLINE_ANTHROPIC_KEY",
    schema: word,
    description: "API key for anthropic_url",
    isSecret: true,
  }),
  gemini_url: setting({
    variable: "THROUGHLINE_GEMINI_URL",
    schema: word,
    description: "base URL of a Gemini-compatible API",
  }),
  gemini_key: setting({
    variable: "THROUGHLINE_GEMINI_KEY",
    schema: word,
    description: "API key for gemini_url",
    isSecret: true,
  }),
  encryption_key: setting({
    variable: "THROUGHLINE_ENCRYPTION_KEY",
    schema: word,
    description: "key that encrypts the content",
    isSecret: true,
    notInFile: "Put the key into a file that only you can read, and set encryption_key_file to its path.",
  }),
  encryption_key_file: setting({
    variable: "THROUGHLINE_ENCRYPTION_KEY_FILE",
    schema: word,
    description: "file with the encryption key",
    isPath: true,
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

export type SettingValues = {
  readonly [K in SettingName]?: NonNullable<ReturnType<(typeof SETTINGS)[K]["schema"]["read"]>>;
};

export const DEFAULTS = { host: "127.0.0.1", port: 4870, require_token: false } as const satisfies SettingValues;
