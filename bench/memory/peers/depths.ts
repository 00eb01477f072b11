/** How many of the best are looked at. */
export const DEPTHS = [1, 5, 10, 25, 50] as const;
