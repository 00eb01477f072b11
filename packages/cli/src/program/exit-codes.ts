/** Scripts rely on these: 0 done, 1 failed, 2 bad usage or input, 3 refused, 130 stopped with Ctrl-C. */
export const EXIT = { done: 0, failed: 1, badInput: 2, refused: 3, interrupted: 130 } as const;
