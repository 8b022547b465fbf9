import type { KnownNames } from './known-names.ts'
import type { Support } from './support.ts'
import type { Token } from './text-tokens.ts'
import type { Problem } from './writer.ts'

/** How many tokens from here on are a whole value of the record; 0 where none begins. */
export function coveredAt(tokens: readonly Token[], at: number, { literals }: Support): number {
  const candidates = literals.get(tokens[at]?.key ?? '')
  if (candidates === undefined) return 0
  let longest = 0
  for (const whole of candidates) longest = Math.max(longest, lengthOf(whole, tokens, at))
  return longest
}

/** How many tokens spell a value, whatever hyphens and spaces stand between. */
function lengthOf(whole: string, tokens: readonly Token[], at: number): number {
  let spelt = 0
  for (let next = at; next < tokens.length && spelt < whole.length; next += 1) {
    const key = tokens[next]?.key ?? ''
    if (!whole.startsWith(key, spelt)) return 0
    spelt += key.length
    if (spelt === whole.length) return next - at + 1
  }
  return 0
}

/** Whether the record names it under any of its spellings, or something more precise that begins with it ("F150"). */
function isNamed(keys: readonly string[], { literals, words }: Support): boolean {
  return keys.some((key) => {
    if (words.has(key)) return !isOnlyAnEnd(key, literals)
    for (const wholes of literals.values()) if (wholes.some((whole) => whole.startsWith(key))) return true
    return false
  })
}

/** A Grand Cherokee is no Cherokee: there the word stands in a name without beginning one. */
const isOnlyAnEnd = (key: string, literals: Support['literals']) =>
  !literals.has(key) && endsAny(key, literals)

function endsAny(key: string, literals: Support['literals']): boolean {
  for (const wholes of literals.values()) if (wholes.some((whole) => whole.endsWith(key))) return true
  return false
}

export type NameAt = { readonly problem: Problem | undefined; readonly length: number }

/** A name of the lookups at this place, and whether the record has it; undefined where there is none. */
export function nameAt(
  tokens: readonly Token[],
  at: number,
  { known, support }: { known: KnownNames; support: Support },
): NameAt | undefined {
  const found = known.at(tokens, at)
  if (found === undefined) return undefined
  const problem = isNamed(found.keys, support)
    ? undefined
    : { claim: found.name, why: 'is a name that is not in the record' }
  return { problem, length: found.length }
}

/** Abbreviations that name nothing; whether a part is OEM, another rule asks. */
const PLAIN_CAPITALS = new Set('a b c d i vin us usa oem oe'.split(' '))

/** Words of titles, which are written with capitals although they name nothing. */
const TITLE_WORDS = new Set(
  `a an and the for from of in on with to at by or used part parts number auto car cars vehicle vehicles truck left right
   front rear upper lower inner outer driver passenger side set assembly unit grade condition good fair poor excellent
   mile miles price prices year years model models make makes listing listings shop browse find compare all more see
   stock yard yards salvage replacement matching available buy sale fits fit your donor removed`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** A word that is written like a name and is in no list: it must be a word of the record. */
export function unknownName(token: Token, support: Support, isTitle: boolean): Problem | undefined {
  const { key, text, capital, startsSentence } = token
  if (!capital || support.words.has(key) || PLAIN_CAPITALS.has(key)) return undefined
  const isCapitalised = isPlainCapital(text)
  if (isCapitalised && (startsSentence || (isTitle && TITLE_WORDS.has(key)))) return undefined
  if (support.words.has(withoutGenitive(key, text))) return undefined
  return { claim: text, why: 'is a name that is not in the record' }
}

/** "Compare": one capital, and that at the beginning. */
function isPlainCapital(text: string): boolean {
  const rest = text.slice(1)
  return rest === rest.toLowerCase()
}

/** "Focus’s" is a Focus, and so are "Focuses" and "Camrys". */
const withoutGenitive = (key: string, text: string) => {
  if (/['’]s$/.test(text)) return key.slice(0, -1)
  return key.endsWith('es') ? key.slice(0, -2) : key.replace(/s$/, '')
}
