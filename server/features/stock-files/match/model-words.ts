/* How people write models: cab styles, nicknames, abbreviations, trims, and names with an engine code. */

/** The cab style or body at the end of a catalog name. */
const BODY_ENDING =
  / (?:(?:Regular|Crew|Extended|Double|Quad|Club|Club Coupe|King|Mega|Access|Super|SuperCrew|Single|Macro|Xtra) Cab|Cab Plus|SuperCab|SuperCrew|XtraCab|Spacecab|CrewMax|Club Coupe|(?:WORKER )?(?:Cargo|Passenger)(?: Van| Wagon)?|Crew Van|Window Van|(?<=\d |XD )(?:Crew|Van|Wagon))$/i

/** The model without its cab: "F150" for "F150 Regular Cab"; undefined if it has none. */
export function familyOf(model: string): string | undefined {
  const ending = BODY_ENDING.exec(model)
  return ending && ending.index > 0 ? model.slice(0, ending.index) : undefined
}

/** By squashed make and name. */
const NICKNAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'chevrolet vette': 'Corvette',
    'chrysler tandc': 'Town & Country',
    'chevrolet burb': 'Suburban',
    'ford crownvic': 'Crown Victoria',
    'ford stang': 'Mustang',
    'ford tbird': 'Thunderbird',
    'mazda miata': 'MX-5 Miata',
    'mazda mx5': 'MX-5 Miata',
    'mitsubishi evo': 'Lancer Evolution',
    'mitsubishi lancerevo': 'Lancer Evolution',
    'mini minicooper': 'Cooper',
    'volkswagen touran': 'Touran',
    'cadillac slade': 'Escalade',
    'dodge caravan': 'Caravan',
  }),
)

export const nicknameOf = (make: string, typed: string): string | undefined =>
  NICKNAMES.get(`${make} ${typed}`)

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['gr', 'grand'],
  ['grd', 'grand'],
  ['grnd', 'grand'],
  ['ext', 'extended'],
  ['xtended', 'extended'],
  ['reg', 'regular'],
  ['dbl', 'double'],
  ['std', 'regular'],
  ['sd', 'superduty'],
  ['limted', 'limited'],
])

export const spelledOut = (word: string): string => ABBREVIATIONS.get(word) ?? word

const TRIMS: ReadonlySet<string> = new Set([
  ...[
    'base',
    'ce',
    'cx',
    'cxl',
    'custom',
    'deluxe',
    'dx',
    'es',
    'ex',
    'exl',
    'exv6',
    'gl',
    'gle',
    'gls',
    'gs',
    'gt',
  ],
  ...[
    'gx',
    'gxe',
    'king',
    'ranch',
    'lariat',
    'laredo',
    'le',
    'limited',
    'ls',
    'lt',
    'ltz',
    'lx',
    'lxi',
    'luxury',
  ],
  ...[
    'overland',
    'platinum',
    'premium',
    'prerunner',
    'rt',
    'rubicon',
    'sahara',
    's',
    'se',
    'sel',
    'ses',
    'si',
    'sl',
  ],
  ...[
    'sle',
    'slt',
    'sr',
    'sr5',
    'srt8',
    'ss',
    'sti',
    'sv',
    'sxt',
    'touring',
    'trd',
    'wt',
    'xl',
    'xle',
    'xls',
    'xlt',
  ],
  ...['xse', 'z71', 'zx3', 'zx4', 'zx5', 'denali', 'highline', 'tdi', '25i', '36r', 'sport'],
  ...['2wd', '4wd', '4x4', '4x2', 'awd', 'fwd', 'rwd', 'quattro', '4matic', 'xdrive'],
  ...[
    'v4',
    'v6',
    'v8',
    'v10',
    'l4',
    'i4',
    'i6',
    '4cyl',
    '6cyl',
    '8cyl',
    'turbo',
    'diesel',
    'ecoboost',
    'hemi',
  ],
  ...['sedan', 'hatchback', 'convertible', 'coupe', 'wagon', '2dr', '4dr', '2door', '4door', '5door'],
])
const ENGINE = /^\d\.\d(?:l|t|i|td)?$/

/** Whether a word beside a model is a trim level, engine, drive or body rather than part of its name. */
export const isTrim = (word: string): boolean => ENGINE.test(word) || TRIMS.has(word.replaceAll('.', ''))

const CABS =
  'regular|reg|crew|extended|ext|xtended|double|dbl|quad|club|king|mega|access|super|supercrew|single|std|standard|xtra'
const BODY = new RegExp(
  [
    `(?:${CABS}) cab(?: plus)?|super ?cab|super ?crew|crew ?max|xtra ?cab|space ?cab`,
    "(?:extra )?(?:short|long|standard) ?(?:bed|box)|\\d(?:\\.\\d)? ?(?:ft|foot|')\\.? ?(?:bed|box)",
    'cargo(?: van)?|passenger(?: van| wagon)?|crew van|window van',
    'sedan|coupe|hatchback|convertible|roadster|wagon|pickup|van|\\d[ -]?(?:dr|door)',
  ]
    .map((part) => `\\b(?:${part})(?![\\p{L}\\p{N}])`)
    .join('|'),
  'giu',
)
const BODY_WORD = new RegExp(
  `^(?:${CABS}|cab|plus|supercab|crewmax|xtracab|spacecab|short|long|extra|bed|box|ft|foot|cargo|passenger|pickup|van|window|roadster|\\d(?:\\.\\d)?(?:ft)?)$`,
)

/** Whether a word beside a model can belong to its cab, bed or body. */
export const isBodyWord = (word: string): boolean => BODY_WORD.test(word)

/** The words beside a model as trim and body style: "XLT CREW CAB" is a Crew Cab with the trim XLT. */
export function besideIn(text: string): { trim?: string; bodyStyle?: string } {
  const bodyStyle = (text.match(BODY) ?? []).map(spelledBody).join(', ')
  const trim = text.replaceAll(BODY, ' ').trim().replaceAll(/\s+/g, ' ')
  return { ...(trim && { trim }), ...(bodyStyle && { bodyStyle }) }
}

/** "CREW CAB" as Crew Cab, "ext cab" as Extended Cab; SuperCrew stays. */
const spelledBody = (body: string): string =>
  body
    .split(' ')
    .map((word) =>
      spelledOut(word.toLowerCase()) === word.toLowerCase() ? word : spelledOut(word.toLowerCase()),
    )
    .map((word) =>
      /^(?:\p{Lu}+|\p{Ll}+)$/u.test(word) ? `${word[0]?.toUpperCase()}${word.slice(1).toLowerCase()}` : word,
    )
    .join(' ')

/** Models that are not in the catalog, listed so that they are not taken for typos. */
export const OTHER_MODELS: readonly string[] = [
  ...[
    'bel',
    'biscayne',
    'celebrity',
    'chevelle',
    'chevette',
    'citation',
    'corvair',
    'elcamino',
    'monza',
    'nova',
    'vega',
  ],
  ...['cortina', 'fairlane', 'fairmont', 'falcon', 'galaxie', 'granada', 'pinto', 'ranchero', 'torino'],
  ...['carina', 'corona', 'corsa', 'cresta', 'hilux', 'starlet', 'vitz', 'avensis', 'aygo', 'auris'],
  ...['jazz', 'brio', 'amaze', 'stream', 'shuttle', 'pulsar', 'micra', 'patrol', 'qashqai', 'bluebird'],
  ...['aries', 'coronet', 'diplomat', 'mirada', 'omni', 'polara', 'reliant', 'valiant', 'volare'],
  ...[
    'electra',
    'skyhawk',
    'somerset',
    'wildcat',
    'fiero',
    'tempest',
    'ventura',
    'catalina',
    'parisienne',
    'phoenix',
  ],
  ...[
    'polo',
    'scirocco',
    'lupo',
    'bora',
    'vento',
    'sharan',
    'up',
    'leone',
    'brat',
    'picanto',
    'ceed',
    'pregio',
  ],
  ...['delta', 'omega', 'starfire', 'versailles', 'lynx', 'bobcat', 'comet', 'monarch'],
]

/** Some makes put an engine code into the model's name: a 328i is a 3 Series, an RX350 an RX. */
const CODES = [
  { makes: /^bmw$/, typed: /^([1-8])\d\d[a-z]{0,3}$/, model: (series: string) => `${series} Series` },
  {
    makes: /^(?:lexus|infiniti)$/,
    typed: /^([a-z]{1,2})\d{2,3}[a-z]?$/,
    model: (letters: string) => letters,
  },
  {
    makes: /^mercedesbenz$/,
    typed: /^([a-z]{1,3})\d{2,3}[a-z]?$/,
    model: (letters: string) => (letters === 'ml' ? 'M-Class' : `${letters}-Class`),
  },
]

/** The model behind a name with an engine code, or undefined. `make` and `typed` are squashed. */
export function modelOfCode(make: string, typed: string): string | undefined {
  const code = CODES.find(({ makes }) => makes.test(make))
  const [, model] = code?.typed.exec(typed) ?? []
  return model && code?.model(model)
}
