import { baseForm } from "../../memory/contradictions/words/base-form.ts";
import { wordSet } from "../../memory/contradictions/words/word-list.ts";

/** Words by which no two things are told apart when somebody asks for something. */
const COMMON = wordSet(`
  about above actually after again against all also although always another any anything are around back because been before
  being below better between both bring but came can cannot change check code come could course currently did different does
  doing done down each either else even ever every example feel few file files find first fix for found from further gave get
  give given goes going good got great had happen has have having help here how however idea instead into issue issues its
  itself just keep kind know last let like line little look looking lot made make many maybe mean might more most much must
  name need never new next not nothing now number off okay one only open other our out over own part people please point
  problem probably put question quite rather really remove right run said same say see seem seems should show side since some
  something sorry start still stuff such sure take tell test tests than thank thanks that the their them then there these they
  thing things think this those though through time too tried try turn two under understand until update upon use used using
  very want was way well went were what when where whether which while who why will with within without work working works
  would write wrong yeah yes yet you your implement implementation add added adding create ensure following and nor via per
  above few can't don't isn't our has its mostly especially currently today long next previous already yep nope okay sort`);
const SHORTEST = 3;
const MAX_READ = 6_000;

/** The telling words of a text in lower case and in their order, also those that names are made of (`getSession`, `user_id`). */
export function tellingWordsOf(text: string): readonly string[] {
  const words = text
    .slice(0, MAX_READ)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\d]+/gu);
  return (words ?? []).filter((word) => {
    return word.length >= SHORTEST && !COMMON.has(word) && !COMMON.has(baseForm(word)) && !/^\d+$/.test(word);
  });
}

/** What a text is about: the bases of its telling words. */
export function subjectWords(text: string): ReadonlySet<string> {
  return new Set(tellingWordsOf(text).map(baseForm));
}
