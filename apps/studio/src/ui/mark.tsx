/** Throughline's logo: one line with a loop. */
export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="none">
      <path
        d="M2 20.5c6.5-1 15.5-5 15.5-12a5.5 5.5 0 0 0-11 0c0 7 9 11 15.5 12"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}
