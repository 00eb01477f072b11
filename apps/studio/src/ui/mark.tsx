/** Throughline's mark: one line that turns back over itself and goes on. */
export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="none">
      <path
        d="M1.5 19.5C9 19.5 17.5 16.5 17.5 9.5a5.5 5.5 0 0 0-11 0c0 7 8.500 10 16 10"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}
