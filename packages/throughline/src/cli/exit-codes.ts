/** Scripts rely on these: 0 done, 1 failed, 2 bad usage or input. */
export const EXIT = { done: 0, failed: 1, badInput: 2 } as const;
