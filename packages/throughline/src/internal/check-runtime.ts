import { ThroughlineError } from "../errors/throughline-error.ts";

const MIN_NODE = "22.13";

/** The globals that name the runtime. All are missing in some runtimes. */
interface Globals {
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly navigator?: { readonly userAgent?: string };
}

/**
 * Throws if this is a version of Node that the package does not support. Runtimes that only imitate Node are not
 * checked: they name themselves in `navigator`, which Node has since 21.
 *
 * @throws ThroughlineError with the needed version and the one that runs.
 */
export function checkRuntime({ process, navigator }: Globals = globalThis as Globals): void {
  const version = process?.versions?.node;
  const isNode = navigator?.userAgent === undefined || navigator.userAgent.startsWith("Node.js/");
  if (version === undefined || !isNode || isSupported(version)) return;
  const summary = `Throughline needs Node ${MIN_NODE} or later; this is Node ${version}.`;
  throw new ThroughlineError("unsupported-runtime", summary, `Use Node ${MIN_NODE} or later.`);
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [minMajor = 0, minMinor = 0] = MIN_NODE.split(".").map(Number);
  return major > minMajor || (major === minMajor && minor >= minMinor);
}
