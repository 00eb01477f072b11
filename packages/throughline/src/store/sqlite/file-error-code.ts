/** Error code of the operating system: `ENOENT`, `EACCES`, … */
export function fileErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
