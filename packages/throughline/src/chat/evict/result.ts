/** What came of something that may ordinarily fail. */
export type Result<T, E extends Error = Error> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "error"; readonly error: E };

/** Runs some work; what it throws becomes the result. */
export async function attempt<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { kind: "ok", value: await work() };
  } catch (error) {
    return { kind: "error", error: error instanceof Error ? error : new Error(String(error)) };
  }
}
