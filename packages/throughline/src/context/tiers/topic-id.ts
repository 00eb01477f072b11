/** Start of the id of a topic in the index. */
export const TOPIC_ID = "topic:";
/** Start of the id of a predicted file. */
export const FILE_ID = "file:";
