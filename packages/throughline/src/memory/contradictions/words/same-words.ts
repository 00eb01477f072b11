/** Words that say the same of a thing, a line for each meaning. Two words of one line agree; a word may be on several. */
export const SAME_WORDS = `
  man: man guy male gentleman fellow dude bloke chap
  woman: woman lady female gal
  child: child kid youngster
  boy: boy lad
  girl: girl lass
  baby: baby infant newborn
  teenager: teenager teen adolescent
  person: person human somebody someone individual people anyone folk
  group: group crowd bunch team gang band
  couple: couple pair duo
  husband: husband spouse
  wife: wife spouse
  partner: partner boyfriend girlfriend
  mother: mother mom mum mommy mama
  father: father dad daddy papa
  grandmother: grandmother grandma granny
  grandfather: grandfather grandpa granddad
  brother: brother sibling
  sister: sister sibling
  friend: friend buddy pal mate
  doctor: doctor physician medic
  teacher: teacher instructor tutor
  student: student pupil
  lawyer: lawyer attorney solicitor
  boss: boss manager supervisor
  coworker: coworker colleague workmate
  cook: cook chef
  cyclist: cyclist bicyclist biker
  policeman: policeman cop officer
  soldier: soldier trooper
  athlete: athlete sportsman
  dog: dog puppy pup doggy hound
  cat: cat kitten kitty
  rabbit: rabbit bunny
  bicycle: bicycle bike cycle
  motorcycle: motorcycle motorbike bike
  car: car automobile auto
  truck: truck lorry
  plane: plane airplane aeroplane aircraft jet
  ship: ship boat vessel
  train: train locomotive
  telephone: phone telephone cellphone mobile smartphone
  television: television tv telly
  movie: movie film
  photo: photo photograph picture pic snapshot
  computer: computer pc
  laptop: laptop notebook
  email: email mail e-mail
  house: house home
  flat: flat apartment
  shop: shop store market
  street: street road lane path
  forest: forest wood woods jungle
  ocean: ocean sea
  shore: beach shore seaside coast
  river: river stream creek brook
  pond: pond lake
  hill: hill mound slope
  mountain: mountain peak
  stone: stone rock boulder
  grass: grass lawn
  garden: garden yard
  field: field meadow
  ground: ground floor
  rubbish: rubbish trash garbage waste
  money: money cash
  pay: salary wage pay income
  job: job work occupation profession career employment
  company: company firm business employer
  holiday: holiday vacation
  trip: trip journey travel tour
  illness: illness disease sickness
  exam: exam test examination
  quiz: quiz test
  lesson: lesson class
  match: match game
  contest: contest competition race
  trick: trick stunt
  food: food meal dish
  drink: drink beverage
  sweets: candy sweets
  pan: pan skillet
  pot: pot kettle saucepan
  sofa: sofa couch
  cup: cup mug
  box: box carton
  bag: bag sack
  makeup: makeup cosmetics
  shirt: shirt t-shirt tee top
  trousers: trousers pants
  coat: coat jacket
  clothes: clothes clothing outfit apparel garment costume
  hat: hat cap
  glasses: glasses spectacles
  swimsuit: swimsuit bikini
  gun: gun pistol firearm
  weights: weight barbell dumbbell
  costume: costume suit uniform
  equipment: equipment gear
  fire: fire bonfire flame
  database: database db datastore
  postgres: postgres postgresql psql
  kubernetes: kubernetes k8s
  javascript: javascript js
  typescript: typescript ts
  repository: repository repo
  config: config configuration settings
  bug: bug defect
  error: error failure
  deploy: deploy release ship rollout
  endpoint: endpoint route
  login: login signin
  function: function method
  app: app application
  folder: folder directory
  limit: limit cap ceiling maximum quota
  talk: talk speak chat converse conversation
  say: say tell state mention
  shout: shout yell scream
  look: look watch stare gaze view observe
  see: see notice spot
  eat: eat consume chew munch
  drink: drink sip
  bite: bite nibble gnaw
  cook: cook prepare
  mix: mix stir blend whisk beat
  cut: cut slice chop dice carve
  peel: peel skin
  break: break crack
  fry: fry deep-fry
  wash: wash rinse clean
  wipe: wipe clean
  throw: throw toss hurl pitch fling
  catch: catch grab
  hit: hit strike punch smack whack
  kick: kick boot
  jump: jump leap hop bounce
  run: run sprint jog race dash
  walk: walk stroll march hike wander pace
  climb: climb scale ascend
  fall: fall tumble
  slide: slide skid
  spin: spin rotate twirl turn
  fly: fly soar
  dive: dive plunge
  float: float drift
  crawl: crawl creep
  chase: chase pursue follow
  hold: hold grip grasp carry
  pick: pick-up lift
  lift: lift raise hoist
  pull: pull drag tug
  push: push shove
  put: put place set lay
  attach: attach fix fit fasten mount
  remove: remove take-off strip
  apply: apply put
  draw: draw sketch
  write: write jot
  fight: fight wrestle spar brawl battle box
  perform: perform do
  practice: practice train rehearse
  compete: compete participate
  buy: buy purchase get acquire order
  get: get receive obtain
  have: have own possess get
  keep: keep retain
  use: use utilize utilise employ operate
  make: make create build produce construct develop write implement
  fix: fix repair resolve mend solve
  begin: begin start commence
  end: end finish complete conclude
  stop: stop quit cease
  help: help assist aid
  need: need require
  attend: attend join enroll participate visit
  live: live reside dwell
  move: move relocate
  meet: meet meeting
  study: study learn
  study: study examine
  love: love adore
  hate: hate despise loathe detest
  think: think believe reckon
  want: want wish desire
  try: try attempt
  choose: choose pick select opt
  allow: allow permit let
  show: show display present demonstrate
  smile: smile grin
  laugh: laugh giggle chuckle
  cry: cry weep sob
  sleep: sleep nap doze
  rest: rest relax lounge
  lie: lie recline
  exercise: exercise workout train
  pet: pet stroke caress
  brush: brush groom comb
  wear: wear dress
  gather: gather assemble
  carry: carry transport haul
  shoot: shoot fire
  sew: sew stitch
  big: big large huge giant enormous great massive
  small: small little tiny
  quick: quick fast rapid quickly rapidly swiftly
  slow: slow slowly
  young: young little
  old: old elderly aged
  rich: rich wealthy
  happy: happy glad cheerful joyful
  sad: sad unhappy
  angry: angry mad furious
  afraid: afraid scared frightened terrified
  tired: tired exhausted
  sick: sick ill unwell
  easy: easy simple
  hard: hard difficult tough
  smart: smart clever intelligent
  beautiful: beautiful pretty lovely
  blond: blond blonde
  near: near beside by nearby close next
  quiet: quiet silent
  nude: nude naked topless
  dark: dark dim
  brown: brown tan
  grey: grey gray
  wet: wet soaked
  favorite: favorite favourite
  daily: daily everyday
  outdoors: outdoors outside
  indoors: indoors inside
  alone: alone lone solo
  shrimp: shrimp prawn
  pepper: pepper capsicum
  eggplant: eggplant aubergine
  piano: piano keyboard
  audience: audience spectator viewer crowd
  sidewalk: sidewalk pavement
  mud: mud dirt soil
  statue: statue sculpture
  rope: rope cord
  stick: stick branch
  stage: stage platform
  frisbee: frisbee disc
  bathroom: bathroom toilet restroom
  lift: lift elevator
  devour: devour eat
  frolic: frolic play
  gallop: gallop run
  trot: trot walk run
  mince: mince chop
  grate: grate shred
  drizzle: drizzle pour
  season: season sprinkle
  cheer: cheer shout applaud
  wander: wander roam
  hug: hug embrace
  join: join connect
  glide: glide slide
  skate: skate skateboard
  bike: bike cycle pedal
  row: row paddle
  knock: knock hit
  squat: squat crouch
  hurry: hurry rush
  search: search seek hunt
  collect: collect gather
  decorate: decorate adorn
  steal: steal rob
  reply: reply answer respond
  teach: teach instruct
  earn: earn make
  hire: hire employ
  fire: fire dismiss sack
  resign: resign quit
  migrate: migrate switch move
  store: store save persist
  delete: delete remove erase
  change: change modify alter update
  check: check verify validate
  run: run execute
  call: call phone ring
  schedule: schedule book arrange
  allergic: allergic allergy
  vegetarian: vegetarian vegetarianism
  weird: weird strange odd
  famous: famous well-known
  dangerous: dangerous risky
  important: important significant crucial essential
  enough: enough sufficient
  correct: correct right
  wrong: wrong incorrect
`;
