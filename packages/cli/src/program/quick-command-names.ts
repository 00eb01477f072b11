/**
 * Commands that agents and scripts start again and again. The build puts them into one file together with the library,
 * because Node takes longer to find a hundred files than to run a search.
 */
export const QUICK_COMMAND_NAMES = ["hook", "recall", "remember", "context", "memories"] as const;
