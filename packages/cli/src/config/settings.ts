/** Where a setting can come from, the strongest first. */
export const SETTING_SOURCES = ["flag", "environment", "file", "default"] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** What a value has to be. Written here: a library of schemas would make every command start later. */
interface Schema<T> {
  /** What it is; `undefined` where it cannot be meant. */
  readonly read: (value: unknown) => T | undefined;
  readonly wanted: string;
}

export interface Setting<T = unknown> {
  readonly variable: string;
  readonly schema: Schema<T>;
  readonly description: string;
  /** What a variable of the environment says, as the file would say it. */
  readonly fromText?: (text: string) => unknown;
  /** Shown as set, never as what it is. */
  readonly isSecret?: true;
  /** In the file it is seen from the folder of the file, and `~` is the user's own. */
  readonly isPath?: true;
  /** Where it must not stand in the file: what to do instead. */
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
  wanted: "It takes a text.",
};
const words: Schema<readonly string[]> = {
  read: (value) => (Array.isArray(value) && value.every(isWord) ? value : undefined),
  wanted: "It takes a list of texts.",
};
const yesOrNo: Schema<boolean> = {
  read: (value) => (typeof value === "boolean" ? value : undefined),
  wanted: "It takes true or false.",
};

function wholeNumber(from: number, to = Number.POSITIVE_INFINITY): Schema<number> {
  return {
    read: (value) =>
      Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to ? Number(value) : undefined,
    wanted: `It takes a whole number from ${from} ${to === Number.POSITIVE_INFINITY ? "on" : `to ${to}`}.`,
  };
}

/** All that can be set, by the name that it has in the file. */
export const SETTINGS = {
  data: setting({
    variable: "THROUGHLINE_DATA",
    schema: word,
    description: "the folder where everything is kept",
    isPath: true,
  }),
  database_url: setting({
    variable: "THROUGHLINE_DATABASE_URL",
    schema: word,
    description: "a PostgreSQL database, in place of the folder",
    isSecret: true,
  }),
  project: setting({
    variable: "THROUGHLINE_PROJECT",
    schema: word,
    description: "the project that is worked on, for every command that takes --project",
  }),
  host: setting({ variable: "THROUGHLINE_HOST", schema: word, description: "the address that the server listens at" }),
  port: setting({
    variable: "THROUGHLINE_PORT",
    schema: wholeNumber(0, 65_535),
    description: "the port that it listens at",
    fromText: toNumber,
  }),
  require_token: setting({
    variable: "THROUGHLINE_REQUIRE_TOKEN",
    schema: yesOrNo,
    description: "whether nobody comes in without a token",
    fromText: toBoolean,
  }),
  allowed_hosts: setting({
    variable: "THROUGHLINE_ALLOWED_HOSTS",
    schema: words,
    description: "names under which the server is reached",
    fromText: toList,
  }),
  rate_limit: setting({
    variable: "THROUGHLINE_RATE_LIMIT",
    schema: wholeNumber(1),
    description: "requests a minute that one caller may make",
    fromText: toNumber,
  }),
  model_url: setting({
    variable: "THROUGHLINE_MODEL_URL",
    schema: word,
    description: "base URL of an OpenAI-compatible API",
  }),
  model_key: setting({
    variable: "THROUGHLINE_MODEL_KEY",
    schema: word,
    description: "API key for it",
    isSecret: true,
  }),
  model: setting({ variable: "THROUGHLINE_MODEL", schema: word, description: "the one model to offer" }),
  anthropic_url: setting({
    variable: "THROUGHLINE_ANTHROPIC_URL",
    schema: word,
    description: "base URL of an Anthropic-compatible API",
  }),
  anthropic_key: setting({
    variable: "THROUGHLINE_ANTHROPIC_KEY",
    schema: word,
    description: "API key for it",
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
    description: "API key for it",
    isSecret: true,
  }),
  encryption_key: setting({
    variable: "THROUGHLINE_ENCRYPTION_KEY",
    schema: word,
    description: "the key that content is encrypted with",
    isSecret: true,
    notInFile: "Name a file of yours alone that holds the key: encryption_key_file.",
  }),
  encryption_key_file: setting({
    variable: "THROUGHLINE_ENCRYPTION_KEY_FILE",
    schema: word,
    description: "the file of that key",
    isPath: true,
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

export type SettingValues = {
  readonly [K in SettingName]?: NonNullable<ReturnType<(typeof SETTINGS)[K]["schema"]["read"]>>;
};

export const DEFAULTS = { host: "127.0.0.1", port: 4870, require_token: false } as const satisfies SettingValues;
