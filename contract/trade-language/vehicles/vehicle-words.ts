import { nameKey } from '#contract/trade-language/names.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'

/* How people write models: cab styles, abbreviations, trims, and names with an engine code. */

/** The cab style or body at the end of a catalog name. */
const BODY_ENDING =
  / (?:(?:Regular|Crew|Extended|Double|Quad|Club|Club Coupe|King|Mega|Access|Super|SuperCrew|Single|Macro|Xtra) ?Cab|Cab Plus|SuperCab|SuperCrew|XtraCab|Spacecab|CrewMax|Club Coupe|(?:WORKER )?(?:Cargo|Passenger)(?: Van| Wagon)?|Crew Van|Window Van|(?<=\d |XD )(?:Crew|Van|Wagon))$/i

/** The model without its cab: "F150" for "F150 Regular Cab"; undefined if it has none. */
export function familyOf(model: string): string | undefined {
  const ending = BODY_ENDING.exec(model)
  return ending && ending.index > 0 ? model.slice(0, ending.index) : undefined
}

export type VehicleWords = {
  /** An abbreviated word of a model's name, spelled out: "gr" is grand. */
  spelledOut(word: string): string
  /** Whether a word next to a model is a trim level, engine, drive or body rather than part of its name. */
  isTrim(word: string): boolean
  /** Whether a word next to a model can belong to its cab, bed or body. */
  isBodyWord(word: string): boolean
  /** The words next to a model as trim and body style: "XLT CREW CAB" is a Crew Cab with the trim XLT. */
  besideIn(text: string): { trim?: string; bodyStyle?: string }
  /** How titles may write a model's name. */
  keysOf(model: string): ModelKeys
  /** A key without the cab at its end, which becomes the body style when the name is resolved. */
  withoutCab(key: string): string
}

const ENGINE = /^\d\.\d(?:l|t|i|td)?$/

export function openVehicleWords(roles: WordRoles): VehicleWords {
  const abbreviations = new Map(roles.meanings('model abbreviation'))
  const trims = roles.set('trim')
  const cabs = roles.list('cab').join('|')
  const body = new RegExp(
    [
      `(?:${cabs}) cab(?: plus)?|super ?cab|super ?crew|crew ?max|xtra ?cab|space ?cab`,
      "(?:extra )?(?:short|long|standard) ?(?:bed|box)|\\d(?:\\.\\d)? ?(?:ft|foot|')\\.? ?(?:bed|box)",
      'cargo(?: van)?|passenger(?: van| wagon)?|crew van|window van',
      'sedan|coupe|hatchback|convertible|roadster|wagon|pickup|van|\\d[ -]?(?:dr|door)',
    ]
      .map((part) => `\\b(?:${part})(?![\\p{L}\\p{N}])`)
      .join('|'),
    'giu',
  )
  const bodyWord = new RegExp(
    `^(?:${cabs}|cab|plus|supercab|crewmax|xtracab|spacecab|short|long|extra|bed|box|ft|foot|cargo|passenger|pickup|van|window|roadster|\\d(?:\\.\\d)?(?:ft)?)$`,
  )
  const cabAtEnd = new RegExp(`(?:(?:${cabs})cab|supercrew|crewmax)$`)
  // First words that are no model by themselves: Grand Cherokee, Town & Country.
  const unfinished = roles.set('unfinished model')
  const joined = new RegExp(`^(.*\\d)(${[...abbreviations.keys()].join('|')})$`)
  /** Also directly after a number: F250SD. */
  const spelledOut = (word: string) =>
    abbreviations.get(word) ??
    word.replace(joined, (_, begin: string, end: string) => begin + (abbreviations.get(end) ?? end))
  /** "CREW CAB" as Crew Cab, "ext cab" as Extended Cab; SuperCrew stays. */
  const spelledBody = (text: string) =>
    text
      .split(' ')
      .map((word) => abbreviations.get(word.toLowerCase()) ?? word)
      .map((word) =>
        /^(?:\p{Lu}+|\p{Ll}+)$/u.test(word)
          ? `${word[0]?.toUpperCase()}${word.slice(1).toLowerCase()}`
          : word,
      )
      .join(' ')
  return {
    spelledOut,
    isTrim: (word) => ENGINE.test(word) || trims.has(word.replaceAll('.', '')),
    isBodyWord: (word) => bodyWord.test(word),
    besideIn(text) {
      const bodyStyle = (text.match(body) ?? []).map(spelledBody).join(', ')
      const trim = text.replaceAll(body, ' ').trim().replaceAll(/\s+/g, ' ')
      return { ...(trim && { trim }), ...(bodyStyle && { bodyStyle }) }
    },
    keysOf: (model) => modelKeysOf(model, unfinished),
    withoutCab: (key) => key.replace(cabAtEnd, ''),
  }
}

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

/** The model that a name with an engine code stands for, or undefined. `make` and `typed` are keys of names. */
export function modelOfCode(make: string, typed: string): string | undefined {
  const code = CODES.find(({ makes }) => makes.test(make))
  const [, model] = code?.typed.exec(typed) ?? []
  return model && code?.model(model)
}

/** Words that a model's name may be written by in a title: "Silverado" for a Silverado 1500, "GR CHEROKEE", "T&C". */
type ModelKeys = { readonly keys: readonly string[]; readonly behindMake: readonly string[] }

/** Shorter than this, a first word could be anything. */
const SHORTEST_WORD = 3

function modelKeysOf(model: string, unfinished: ReadonlySet<string>): ModelKeys {
  const family = familyOf(model) ?? model
  const words = model.split(' ')
  const beginnings = words.map((_, at) => nameKey(words.slice(0, at + 1)))
  const first = beginnings[0] ?? ''
  const isFinished = first.length >= SHORTEST_WORD && !unfinished.has(first)
  const keys = [nameKey(model), nameKey(family), ...beginnings.slice(isFinished ? 0 : 1)]
  return { keys: keys.filter((key) => key !== ''), behindMake: shortKeysOf(model) }
}

/** "T&C", "Town Country" and "Gr Cherokee", which mean the model only behind its make: "tC" is a Scion. */
function shortKeysOf(model: string): string[] {
  const [first = '', ...rest] = model.toLowerCase().split(' ')
  if (first === 'grand' && rest.length > 0) return [nameKey(`gr${rest.join('')}`)]
  const [one, other] = model.split(' & ')
  if (!one || !other) return []
  return [nameKey(`${one[0]} & ${other[0]}`), nameKey(`${one[0]}${other[0]}`), nameKey(`${one} ${other}`)]
}
