/* Makes and models as a title may spell them, for splitting a column. Runs in server and browser. */

export type MakeModels = { name: string; aliases: readonly string[]; models: readonly string[] }

export type VehicleNames = {
  /** The make with this key. */
  make: (key: string) => string | undefined
  /** Whether the key, made of `words` words, is a model of the make or the beginning of one. */
  isModel: (make: string, key: string, words: number) => boolean
  /** The makes that have this model. */
  owners: (key: string) => readonly string[]
}

/** Lowercase letters and digits: "F-150" and "f 150" are one name. */
export const nameKeyOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** By the key of the abbreviation. "Merc" and "GM" could be several makes. */
export const makeAbbreviations: Readonly<Record<string, string>> = {
  alfa: 'Alfa Romeo',
  aston: 'Aston Martin',
  benz: 'Mercedes-Benz',
  bimmer: 'BMW',
  caddy: 'Cadillac',
  chev: 'Chevrolet',
  chevvy: 'Chevrolet',
  chevy: 'Chevrolet',
  chevys: 'Chevrolet',
  chrys: 'Chrysler',
  gmctruck: 'GMC',
  hyund: 'Hyundai',
  infinity: 'INFINITI',
  jag: 'Jaguar',
  lambo: 'Lamborghini',
  lexs: 'Lexus',
  linc: 'Lincoln',
  lr: 'Land Rover',
  mb: 'Mercedes-Benz',
  mercbenz: 'Mercedes-Benz',
  mercedes: 'Mercedes-Benz',
  merz: 'Mercedes-Benz',
  mitsu: 'Mitsubishi',
  niss: 'Nissan',
  olds: 'Oldsmobile',
  plym: 'Plymouth',
  pont: 'Pontiac',
  porsch: 'Porsche',
  rangerover: 'Land Rover',
  rolls: 'Rolls-Royce',
  subie: 'Subaru',
  suby: 'Subaru',
  toyt: 'Toyota',
  volks: 'Volkswagen',
  volkswagon: 'Volkswagen',
  vw: 'Volkswagen',
}

/** The cab or body that a catalog adds to a model: "F150 Regular Cab", "Caravan Passenger". */
const BODY =
  /\s(?:(?:regular|crew|extended|double|quad|club|king|mega|access|super|supercrew|single|xtra)\s?cab|supercab|supercrew|crewmax|cargo|passenger)(?:\s(?:van|wagon))?$/i

/** The same at the end of a key. */
const CAB_KEY =
  /(?:(?:regular|crew|extended|double|quad|club|king|mega|access|super|supercrew|single|xtra)cab|supercrew|crewmax)$/

/** First words that are no model by themselves: Grand Cherokee, Town & Country. */
const UNFINISHED = new Set(
  'grand land town crown model super new mercedes mercedesamg mercedesmaybach electrified the monte santa el le'.split(
    ' ',
  ),
)

/** Shorter than this, a first word could be anything. */
const SHORTEST_WORD = 3

export function vehicleNames(makes: readonly MakeModels[]): VehicleNames {
  const makeOf = new Map<string, string>()
  const modelsOf = new Map<string, Set<string>>()
  const ownersOf = new Map<string, string[]>()
  const own = (make: string, key: string) => {
    const owners = ownersOf.get(key) ?? []
    if (!owners.includes(make)) ownersOf.set(key, [...owners, make])
  }
  for (const { name, aliases, models } of makes) {
    for (const alias of aliases) makeOf.set(nameKeyOf(alias), name)
    const keys = modelsOf.get(name) ?? new Set<string>()
    modelsOf.set(name, keys)
    for (const key of models.flatMap(keysOf)) {
      keys.add(key)
      own(name, key)
    }
    // Behind its make only: "tC" is a Scion.
    for (const key of models.flatMap(shortKeysOf)) keys.add(key)
  }
  // A name takes precedence over another make's alias.
  for (const { name } of makes) makeOf.set(nameKeyOf(name), name)
  makeOf.delete('')
  for (const [key, name] of Object.entries(makeAbbreviations)) {
    if (modelsOf.has(name) && !makeOf.has(key) && !ownersOf.has(key)) makeOf.set(key, name)
  }
  return {
    make: (key) => makeOf.get(key),
    isModel: (make, key, words) => {
      const keys = modelsOf.get(make)
      if (keys === undefined) return false
      // "Mazda 3" is a MAZDA3.
      // A cab belongs to the model's name, and becomes the body style when the name is resolved.
      const family = key.replace(CAB_KEY, '')
      return keys.has(family) || keys.has(nameKeyOf(make) + family) || isVariant(key, words, keys)
    },
    owners: (key) => ownersOf.get(key) ?? [],
  }
}

/** The keys of a model, its family without the cab, and its first words. */
function keysOf(model: string): string[] {
  const family = model.replace(BODY, '')
  const words = model.split(' ')
  const beginnings = words.map((_, at) => nameKeyOf(words.slice(0, at + 1).join(' ')))
  const first = beginnings[0] ?? ''
  const isFinished = first.length >= SHORTEST_WORD && !UNFINISHED.has(first)
  const keys = [nameKeyOf(model), nameKeyOf(family), ...beginnings.slice(isFinished ? 0 : 1)]
  return [...new Set(keys)].filter((key) => key !== '')
}

/** "Town and Country", "T&C" and "Gr Cherokee". */
function shortKeysOf(model: string): string[] {
  const [first = '', ...rest] = model.toLowerCase().split(' ')
  if (first === 'grand' && rest.length > 0) return [nameKeyOf(`gr${rest.join('')}`)]
  const [one, other] = model.split(' & ')
  return one && other ? [nameKeyOf(`${one}and${other}`), nameKeyOf(`${one[0]}${other[0]}`)] : []
}

const CODE = /^([a-z]{1,3})(\d{2,3})([a-z]{0,3})$/
const SERIES = /^(\d)\d{2}[a-z]{0,3}$/
const LETTERED = /^(\d{3})[a-z]$/

/**
 * Engine sizes and versions in a model's name: RX350 is an RX, C300 a C-Class, 328i a 3 Series, 300C a 300. Letters after
 * them are of one word.
 */
function isVariant(key: string, words: number, keys: ReadonlySet<string>): boolean {
  const [, letters = '', , suffix] = CODE.exec(key) ?? []
  if (suffix !== '' && words > 1) return false
  if (letters !== '' && (keys.has(`${letters}class`) || keys.has(letters))) return true
  if (letters === 'ml') return keys.has('mclass')
  const [, model] = LETTERED.exec(key) ?? []
  if (model !== undefined && words === 1 && keys.has(model)) return true
  const [, series] = SERIES.exec(key) ?? []
  return series !== undefined && keys.has(`${series}series`)
}
