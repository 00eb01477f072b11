const HOME =
  /^(?:in|with|at|near|alone|by|around|next|off|outside|close|right|across|here in|on (?:an?|the|my)|(?:out|up|down|over) (?:in|by|here|north|south)|north|south|east|west|\d)\b/i;
const INTO_OTHER = /\bto\b/i;

/** What has to follow a verb for it to say something that lasts. Other verbs take anything. */
const COMPLEMENTS: ReadonlyMap<string, RegExp> = new Map([
  ["live", HOME],
  ["living", HOME],
  ["work", /^(?!(?:well|hard|fine|out|great)\b)/i],
  ["worked", /^(?:as|at|for|in)\b/i],
  ["manage", /^(?:an?|the|my|our|\d+) /i],
  ["drive", /^(?:an?|my|the) /i],
  ["travel", /^(?:a lot|to|for|around|the|often|frequently|all)\b/i],
  ["volunteer", /^(?!work\b)/i],
  [
    "working",
    /^(?:as|at|for|in|with|part[- ]time|full[- ]time|from home|nights?|days|two|three|\d)\b(?!.*\b(?:today|tonight|tomorrow|now)\b)/i,
  ],
  ["taking", /\b(?:class|classes|course|courses|lessons|medication|pills|meds)\b/i],
  ["training", /^(?:for|to)\b/i],
  ["want", /^to (?:be|become) an? /i],
  ["grew", /^up /i],
  ["moved", /^(?:to|from|here from|back to) (?!['"`])/i],
  ["expecting", /^(?:an? (?:baby|child|boy|girl|son|daughter)|twins|our|my)\b/i],
  ["lost", /^my (?!phone|keys|wallet|mind|voice|temper|bet|job)/i],
  ["quit", /^(?:my|smoking|drinking|school|college|working)/i],
  ["switched", INTO_OTHER],
  ["changed", INTO_OTHER],
  ["started", /^(?:a|an|my|working|playing|learning|collecting|college|school|teaching) /i],
  [
    "got",
    /^(?:married|divorced|engaged|promoted|hired|fired|laid off|my (?:degree|license|masters|phd|bachelors?)|a (?:new )?(?:job|degree))\b/i,
  ],
]);

/** Whether what follows a verb is what it needs. */
export function takes(verb: string, object: string): boolean {
  return COMPLEMENTS.get(verb)?.test(object) ?? true;
}
