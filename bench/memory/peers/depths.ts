/** Values of k for recall@k. */
export const DEPTHS = [1, 5, 10, 25, 50] as const;
