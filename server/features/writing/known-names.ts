import { partMakers } from './part-makers.ts'
import { startsOf, wholeKey } from './support.ts'
import { type Token, tokensOf } from './text-tokens.ts'

/** A name of the lookups; texts that name it are held against the record under all its spellings. */
export type KnownName = { readonly name: string; readonly aliases?: readonly string[] }

/** The names that generated text could claim wrongly: made once a job from the lookups, asked for every word of a text. */
export type KnownNames = {
  /** The longest name that begins at a token, or undefined. */
  at(tokens: readonly Token[], at: number): FoundName | undefined
  /** Whether a name can begin with this key. */
  begins(key: string): boolean
  /** Small words that no rule asks about, as they are met: the claim check's memory between texts. */
  readonly idle: Set<string>
}

export type FoundName = {
  /** As the lookups write it. */
  readonly name: string
  /** Every spelling of it: its keys. */
  readonly keys: readonly string[]
  /** How many tokens it takes. */
  readonly length: number
}

type Entry = { readonly name: string; readonly keys: string[]; readonly ordinary: boolean }
/** Names by their first token; `longest` is how many tokens the longest of them takes. */
type Start = { longest: number; readonly wholes: Map<string, Entry> }

/**
 * Cars, towns and part types that are called as everyday things are. They count as names only where they are written as
 * one: with a capital, and not at the beginning of a sentence.
 */
const ordinary = new Set(
  `accent air alpine amigo aspire atlas aura aurora avalanche avenger axiom azure baja beetle blazer breeze caliber
   carnival cascade cavalier century challenger charger city civic classic cobalt colt commander compass concorde
   continental convertible cooper corsair coupe cougar countryman crossfire crown cube dart dawn discovery dynasty eagle
   echo eclipse edge element elite encore endeavor enclave entourage envision envoy equinox escape escort esteem
   excursion expedition explorer express festiva fiesta fit flex focus forester forte fox freestyle fusion genesis
   ghost gladiator golf gravity hardtop highlander hornet hummer imperial impulse insight intrigue journey karma kicks
   lancer laser leaf legacy legend liberty lightning lotus magnum mariner matrix maverick mercury metro mini mirage
   mobile monarch mountaineer mustang mystique nautilus navigator neon nitro oasis ocean odyssey orange outback
   outlander outlook pacer passport pathfinder patriot pear phantom pilot prelude premier probe prologue prowler quest
   rabbit ram ranger reading recon regal regency relay rendezvous renegade roadmaster roadster rocky rodeo rogue sable
   salem samurai saturn savannah select shadow sidekick silhouette sky smart solstice sonic soul spark spectra spider
   spirit sport stealth storm stratus suburban summit swift talon tempo terrain thunderbird topaz torrent tracer tracker
   traverse tribute trooper venture vibe vigor villager viper vision volt voyager wrangler models frame independence enterprise temple aurora columbia jackson`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

export function knownNames(names: Iterable<KnownName>): KnownNames {
  const starts = new Map<string, Start>()
  const add = (entry: Entry, tokens: readonly Token[]) => {
    const [first] = tokens
    if (first === undefined) return
    for (const key of startsOf(first)) {
      const start = starts.get(key) ?? { longest: 0, wholes: new Map() }
      starts.set(key, start)
      // "Mercedes-Benz" is one token, and two where it is written without its hyphen.
      start.longest = Math.max(start.longest, tokens.length + 1)
      start.wholes.set(wholeKey(tokens), entry)
    }
  }
  const take = ({ name, aliases = [] }: KnownName) => {
    const spellings = [name, ...aliases].map(tokensOf).filter((tokens) => isTelling(tokens))
    const keys = spellings.map(wholeKey)
    for (const tokens of spellings) add({ name, keys, ordinary: ordinary.has(wholeKey(tokens)) }, tokens)
  }
  for (const known of names) take(known)
  for (const name of partMakers) take({ name })
  const startOf = (key: string) => starts.get(key) ?? starts.get(singular(key))
  return {
    idle: new Set(),
    begins: (key) => startOf(key) !== undefined,
    at(tokens, at) {
      const first = tokens[at]
      const start = first && startOf(first.key)
      return start && longestOf(start, tokens, at)
    },
  }
}

/** "S", "300" and "1500" are models too, but as words of a text they are letters and numbers, and judged as such. */
const isTelling = (tokens: readonly Token[]) => {
  const key = wholeKey(tokens)
  return key.length > 1 && !/^\d+$/.test(key)
}

function longestOf(start: Start, tokens: readonly Token[], at: number): FoundName | undefined {
  let whole = ''
  let found: FoundName | undefined
  for (let length = 1; length <= start.longest; length += 1) {
    const token = tokens[at + length - 1]
    if (token === undefined || (length > 1 && token.startsSentence)) break
    whole += token.key
    const entry = start.wholes.get(whole) ?? start.wholes.get(singular(whole))
    if (
      entry &&
      !(entry.ordinary && isOrdinaryHere(token)) &&
      !isShortWord(whole, token, { entry, length })
    ) {
      found = { name: entry.name, keys: entry.keys, length }
    }
  }
  return found
}

const MOST_LETTERS_OF_A_SHORT = 3

/** A Lexus IS is written in capitals, and what "is" is not. */
const isShortWord = (whole: string, { text }: Token, { entry, length }: { entry: Entry; length: number }) =>
  whole.length <= MOST_LETTERS_OF_A_SHORT &&
  (length > 1 || (text !== entry.name && text !== text.toUpperCase()))

const isOrdinaryHere = ({ capital, startsSentence }: Token) => !capital || startsSentence
const singular = (key: string) => (key.endsWith('s') ? key.slice(0, -1) : key)
