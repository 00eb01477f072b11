/** Start of the id of a topic in the index. */
export const TOPIC_ID = "topic:";
