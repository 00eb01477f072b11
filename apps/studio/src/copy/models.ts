import { formatNumber } from "./format.ts";
/** Texts of the model picker, the models and the form for an endpoint. */
export const modelCopy = {
  title: "Model",
  none: "No model",
  noneSelected: "No model selected",
  using: (label: string) => `Using ${label}`,
  current: "Model: ",
  loading: "Model, loading: ",
  hasProblem: ", there's a problem",
  progress: (label: string, percent: number) => `${label}: ${percent}%`,
  inUse: "In use",
  isOpening: "Opening…",
  cancel: "Cancel",
  edit: (label: string) => `Edit ${label}`,
  notAvailable: "Not available.",
  addEndpoint: "Add an endpoint…",
  useNone: "Use no model",
  groups: { device: "On this device", endpoints: "Your endpoints", server: "Server" },
  unnamed: "The model",
  opening: "Opening",
  gettingReady: "Preparing the model",
  sentTo: {
    host: (host: string) => `Sent to ${host}`,
    cloud: (host: string) => `Sent to ${host}, which forwards it to the cloud`,
    device: (host: string) => `Sent to ${host} on this device`,
    server: (host: string) => `Sent to ${host}, this page's server, and to its model`,
  },
  builtIn: {
    label: "Built-in browser model",
    details: {
      available: "Comes with your browser. Stays on this device",
      downloadable: "Downloads once (a few GB). Stays on this device",
      downloading: "Your browser is downloading its model. Stays on this device",
      unavailable: "Comes with some browsers. Stays on this device",
    },
    starting: "Starting",
    downloading: "Your browser is downloading its model",
    notIncluded: "Not included in this browser. Try Chrome or Edge on a computer.",
    notSupported: "Not supported on this device. It may need more space, memory or a graphics card.",
  },
  webLlm: {
    remarks: {
      smallest: "Very small",
      small: "Small and fast",
      recommended: "Recommended",
      better: "Better quality",
      best: "Best quality",
    },
    detail: (remark: string, download: string) => `${remark}. ${download}. Stays on this device`,
    downloaded: "Downloaded",
    download: (size: string) => `Download of about ${size}`,
    downloading: (done: string, size: string) => `Downloading: ${done} of about ${size}`,
    fromDevice: "Opening from this device",
    preparing: "Preparing the graphics card",
    insecure: "Needs a secure address. Open this page with https, or on localhost.",
    noWebGpu: "This browser has no WebGPU. Use a current Chrome, Edge or Safari.",
    noCard: "This device has no graphics card that the browser can use (WebGPU).",
  },
  presets: {
    ollama: "Runs on this device. Set OLLAMA_ORIGINS to allow this page.",
    lmStudio: "Runs on this device. Start its server, with CORS turned on.",
    openRouter: "Your messages go to openrouter.ai and to the provider of the model you pick. Needs an API key.",
  },
  endpoint: {
    add: "Add an endpoint",
    edit: (label: string) => `Edit ${label}`,
    words: "Any OpenAI-compatible API. Saved only on this device.",
    close: "Close",
    cancel: "Cancel",
    save: "Save",
    saveAndUse: "Save and use",
    remove: "Remove",
    removeForGood: (hasKey: boolean) => `Remove endpoint${hasKey ? " and key" : ""}`,
    discard: {
      title: "Discard your changes?",
      words: "What you entered hasn't been saved.",
      confirm: "Discard",
      cancel: "Keep editing",
    },
    presets: "Presets",
    baseUrl: "Base URL",
    baseUrlHint: "Usually ends in /v1",
    key: "API key",
    keepKey: "Leave empty to keep it",
    optional: "Optional",
    keySaved: (end: string | undefined) => `Key${end === undefined ? "" : ` ending in ${end}`} is saved.`,
    keyHint: "Saved on this device and sent only to this URL.",
    removeKey: "Remove key",
    model: "Model",
    models: "Models of this endpoint",
    modelHint: "Enter a model name or load the list.",
    list: "List models",
    listing: "Loading…",
    found: (count: number) => `${count === 1 ? "1 model" : `${formatNumber(count)} models`} found`,
    noneFound: "No models found. Enter a name.",
    noMatches: "No matches",
    name: "Name",
    sameAsModel: "Same as model",
    contextSize: "Context size, in tokens",
    autoContext: "Auto (8,192)",
    badContextSize: "Context size must be a whole number, 512 or more. Leave it empty if you don't know it.",
    invalidUrl: "Enter a full URL, such as http://localhost:11434/v1.",
    credentialsInUrl: "Leave the name and password out of the URL. Use the API key field.",
    queryInUrl: "The URL can't contain ? or #. Enter only the part up to /v1.",
    noModelName: "Enter a model name.",
    notSaved:
      "This browser doesn't save data for this page, so the endpoint lasts until you close the tab. Leave private mode to save it.",
  },
} as const;

const UNCHANGED = "Your conversation is unchanged.";
const PARTIAL = "The partial reply is saved. Try again.";

/** Errors of models: what happened, what is safe, what to do. */
export const modelErrors = {
  closed: (label: string) => `${label} was closed before it replied. Try again.`,
  notOpened: (label: string, reason: string) => `${label} couldn't be opened: ${reason}`,
  gone: "This model is no longer available. Choose another one.",
  endpointGone: "This endpoint was removed, maybe in another tab. Choose another model.",
  noServerModel: "This page's server has no model. Choose another one.",
  tooLong: (label: string) =>
    `This conversation is too long for ${label}. ${UNCHANGED} Start a new one, or choose a larger model.`,
  noReply: (label: string, reason: string) => `${label} couldn't reply: ${reason} ${UNCHANGED} Try again.`,
  endpoint: {
    noReply: (host: string, reason: string) => `${host} couldn't reply: ${reason} ${UNCHANGED}`,
    keyRejected: (host: string) => `${host} rejected the API key. ${UNCHANGED} Edit the endpoint and enter the key.`,
    keyMissing: (host: string) => `${host} needs an API key. ${UNCHANGED} Edit the endpoint and enter the key.`,
    noCredit: (host: string) =>
      `${host} says your account has no credit left. ${UNCHANGED} Add credit there, or choose another model.`,
    notFound: (host: string, modelId: string | undefined) =>
      `${host} has no ${modelId === undefined ? "model list" : `model "${modelId}"`} at this URL. ${UNCHANGED} Check the base URL (it usually ends in /v1) and the model name.`,
    tooMany: (host: string, seconds: string | undefined) =>
      `${host} got too many requests, or you reached your limit there. ${UNCHANGED} Wait ${seconds === undefined ? "a moment" : `${seconds} s`} and try again.`,
    tooLong: (host: string) =>
      `This conversation is too long for ${host}. ${UNCHANGED} Enter a smaller context size for the endpoint.`,
    serverError: (host: string, status: number) =>
      `The server at ${host} returned an error (${status}). ${UNCHANGED} Try again in a moment.`,
    refused: (host: string, status: number, said: string) =>
      `${host} refused the request (${status})${said === "" ? "." : `: ${said}`} ${UNCHANGED}`,
    offline: `You're offline. ${UNCHANGED} Check your connection and try again.`,
    needsHttps: (host: string) =>
      `${host} can't be reached. ${UNCHANGED} A page on https can only use https addresses.`,
    unreachable: (host: string, page: string) =>
      `${host} can't be reached. ${UNCHANGED} Make sure it's running and allows requests from ${page} (CORS).`,
    ownServer: (host: string) =>
      `This page's server at ${host} can't be reached. ${UNCHANGED} Start it again and try again.`,
    allowOllama: (page: string) => ` For Ollama, set OLLAMA_ORIGINS=${page}.`,
    thisPage: "this page",
    invalid: (host: string) =>
      `${host} didn't return a valid response. ${UNCHANGED} Check that it's an OpenAI-compatible API.`,
    wentSilent: (host: string, seconds: number) =>
      `The model at ${host} stopped responding for ${seconds} s. ${PARTIAL}`,
    silent: (host: string, seconds: number) =>
      `The model at ${host} didn't reply within ${seconds} s. ${UNCHANGED} Try again, or choose another model.`,
    lost: (host: string) => `The connection to ${host} was lost. ${PARTIAL}`,
    otherServer: (host: string, url: string) => `This endpoint may only reach ${host}, not ${url}.`,
    redirect: (host: string) =>
      `${host} redirects to another address, which is blocked to protect your messages. Enter that address instead.`,
  },
  builtIn: {
    label: "your browser's model",
    notAllowed: `Your browser didn't allow its model here. ${UNCHANGED} Choose it again with a click.`,
    interrupted: `The download of your browser's model was interrupted. ${UNCHANGED} Check your connection and choose it again.`,
    notOpened: (reason: string) =>
      `Your browser couldn't open its model: ${reason} ${UNCHANGED} Try again later, or choose another one.`,
    unsupported: `Your browser's model can't reply in this language or format. ${UNCHANGED} Choose another model.`,
    noReply: (reason: string) => `Your browser's model couldn't reply: ${reason} ${UNCHANGED} Try again.`,
  },
  webLlm: {
    noMemory: (label: string) =>
      `There isn't enough graphics memory for ${label}. ${UNCHANGED} Close other tabs, or choose a smaller model.`,
    noSpace: (label: string) =>
      `There isn't enough space on this device for ${label}. ${UNCHANGED} Free some space, or choose a smaller model.`,
    unsupported: (label: string) =>
      `This device's graphics card can't run ${label}. ${UNCHANGED} Choose another model.`,
    interrupted: (label: string) =>
      `The download of ${label} was interrupted. ${UNCHANGED} The part you have is saved. Check your connection and choose it again.`,
    notOpened: (label: string, reason: string) =>
      `${label} couldn't be opened: ${reason} ${UNCHANGED} Choose it again, or another one.`,
    lost: (label: string) =>
      `${label} lost the graphics card, often because memory ran out. ${UNCHANGED} Choose it again, or a smaller one.`,
  },
} as const;
