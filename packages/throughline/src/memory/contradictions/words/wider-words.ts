/** Wider words, each with what it takes in: where nobody plays an instrument, nobody plays the guitar. */
export const WIDER_WORDS = `
  person: man woman boy girl child baby toddler teenager adult player cyclist surfer skier snowboarder skateboarder dancer singer guitarist drummer doctor cook teacher student worker policeman soldier athlete friend brother sister mother father husband wife son daughter customer couple crowd group rider hiker climber swimmer runner performer musician artist fireman clown bride rollerblader motorcyclist cowboy cowgirl jockey goalkeeper boxer
  adult: man woman
  child: boy girl toddler baby
  woman: girl mother wife
  man: boy father husband
  player: goalkeeper
  animal: dog cat horse monkey cow bird fish rabbit hamster turtle elephant lion tiger cheetah bear panda rhino sheep goat pig mouse koala lizard snake parrot squirrel deer duck donkey kangaroo lemur zebra wolf fox frog toad
  pet: dog cat hamster rabbit parrot bird fish turtle lizard
  bird: parrot duck eagle pigeon owl chicken
  instrument: guitar piano flute violin drum keyboard harp trumpet saxophone cello bass
  food: meat fish vegetable fruit bread pizza pasta noodle rice cheese egg cake cereal banana onion potato tomato carrot chicken steak hamburger sandwich taco salad soup cookie pie corn shrimp butter
  vegetable: carrot onion potato tomato broccoli cucumber garlic pepper eggplant capsicum lettuce spinach mushroom corn
  fruit: apple banana orange lemon mango grape pear strawberry watermelon pineapple
  meat: steak pork beef chicken lamb bacon ham turkey
  vehicle: car truck bus motorcycle van jeep bicycle scooter train taxi
  clothes: shirt dress jacket coat hat trousers jeans skirt suit costume uniform sweater scarf glove shoe
  toy: ball doll frisbee
  ball: football basketball baseball
  water: ocean lake river pool pond wave
  sport: soccer football tennis baseball basketball hockey rugby golf swimming
  game: chess poker football soccer tennis baseball
  drink: coffee tea beer wine juice milk water soda
  weapon: gun rifle pistol knife sword
  gun: pistol rifle shotgun
  container: box bottle bowl jar cup can bucket bag
  tool: hammer drill saw knife scissors axe
  furniture: chair table sofa bed bench
  tree: pine oak palm
  building: house hut church store school
  device: phone computer laptop camera
  cut: peel trim saw
  cook: fry boil bake grill roast
  move: run walk ride jump
  look: stare gaze peer study examine inspect
  put: sprinkle pour spread place insert attach drop
  walk: pace stroll stride wade stagger tiptoe
  run: chase
  hit: whack spank slap punch smack bang knock
  break: crack smash shatter snap
  talk: whisper argue discuss
  communicate: talk speak sign write
  perform: sing dance play
  exercise: jog swim lift
  play: strum
  eat: bite chew nibble
  clean: wash wipe rinse scrub mop
  travel: ride drive walk
  outdoors: park garden beach field
  software: app program
  language: python javascript typescript rust java go english french german spanish
  database: postgres mysql sqlite mongodb redis
`;
