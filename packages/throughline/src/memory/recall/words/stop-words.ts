/** Words that say nothing of what a text is about. What is asked for (`when`, `who`) is read elsewhere. */
const STOP_WORDS = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both but by
  can could did do does doing don down during each few for from further had has have having he her here hers herself him
  himself his how i if in into is it its itself just let ll me might more most must my myself no nor not now of off on once
  only or other our ours ourselves out over own per re s same shall she should so some such t than that the their theirs them
  themselves then there these they this those through to too under until up upon us ve very via was we were what when where
  which while who whom whose why will with would yes you your yours yourself yourselves
  isn aren wasn weren hasn haven hadn doesn didn won wouldn couldn shouldn cannot`.split(/\s+/),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
