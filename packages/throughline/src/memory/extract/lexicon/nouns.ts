import { wordSet } from "../../../language/word-lists.ts";

/** People and animals of one's own. What is said of them is said of one's own life. */
export const FAMILY = wordSet(`
  wife husband spouse partner fiance fiancee fiancé fiancée boyfriend girlfriend mom mum mother dad father parents parent
  son sons daughter daughters kid kids child children baby twins brother brothers sister sisters sibling siblings grandma
  grandmother grandpa grandfather grandparents grandson granddaughter grandkids grandchildren stepmom stepdad stepmother
  stepfather stepson stepdaughter aunt uncle cousin cousins niece nephew family folks in-laws ex ex-wife ex-husband`);
export const PETS = wordSet(`
  dog dogs cat cats puppy puppies kitten kittens pet pets horse horses bird birds parrot fish rabbit rabbits bunny hamster
  hamsters turtle turtles snake snakes lizard lizards iguana chickens chicken goats goat cow cows pig pigs labrador lab
  poodle beagle pug corgi husky dachshund retriever shepherd terrier chihuahua ferret ferrets gerbil frog`);

/** What one has for long, of which it is worth knowing that one has it. */
export const POSSESSIONS = wordSet(`
  job jobs career business company shop store restaurant bakery farm ranch house home apartment condo cabin flat cottage
  garden pool car cars truck van suv motorcycle motorbike bike bicycle boat jeep mustang prius tesla collection degree
  degrees bachelor bachelors masters phd doctorate mba license diploma certificate scholarship tattoo tattoos piercing
  piercings eyes hair beard freckles scar glasses dimples allergy allergies asthma diabetes cancer adhd autism anxiety
  depression insomnia arthritis epilepsy ocd phobia fear disability accent channel blog podcast website band guitar guitars
  piano drums violin instrument tv hobby hobbies sweet-tooth tooth interest obsession addiction roommate roommates lisp citizenship visa passport children husbands stepchildren`);

/** Nouns that make "I am a …" a remark on the moment. */
export const PASSING_NOUNS = wordSet(`
  bit little mess lot tad wreck loser failure genius idiot fool while moment minute ways way mix`);

/** What projects are made of: a sentence about one of these is about the work. */
export const PROJECT_NOUNS = wordSet(`
  api apis app application architecture auth authentication backend bundler cache caching ci cli codebase compiler config
  container containers database datastore db dependencies deployment deployments endpoint endpoints framework frontend gateway
  hosting infrastructure linter logging microservice microservices migration migrations module modules monolith monorepo orm
  parser pipeline plugin repo repository router runtime schema sdk server servers staging toolchain ui website`);
