import { singular, wordsOf } from '#contract/trade-language/names.ts'
import type { Places } from '#contract/trade-language/places.ts'
import { listOf, type WordRoles } from '#contract/trade-language/words.ts'

/* The words of part names, spelled out, in the singular and in English: "Frt bmprs" is "front bumper", "faros" headlights. */

/** A row of `foreign-parts.csv`: phrases without accents and "de", and what they mean in the words of our categories. */
export type ForeignRow = { readonly words: string; readonly means: string }

export type PartWords = {
  /** The words of a text in their normal form. */
  of(text: string): readonly string[]
  /** Whether a word is about a part's condition, which does not belong to its category. */
  isCondition(word: string): boolean
  /** Whether the text has a side that its normal form omits. */
  dropsSide(text: string): boolean
}

/** "Motor 5.3L" is an engine. */
export const withoutDisplacement = (text: string): string => text.replace(/\b\d\.\d ?l(?:iters?)?\b/i, ' ')

const ARTICLES = /\b(?:d[eu]l?|des) (?=[a-z])/g
/** "Pompe à l'huile": in French, a letter at an apostrophe. */
const ELISION = /\b[dl]['’](?=\p{L})/giu
// Files repeat the same names, and each is compared in several forms.
const MOST_REMEMBERED = 20_000

/** @param same words that are written for another everywhere: "lamp" for "light" */
export function openPartWords(
  { roles, places }: { readonly roles: WordRoles; readonly places: Pick<Places, 'inEnglish'> },
  foreign: readonly ForeignRow[],
  same: ReadonlyMap<string, string>,
): PartWords {
  const abbreviations = new Map([...roles.meanings('abbreviation'), ...roles.meanings('end code')])
  const translate = replacing(
    foreign.flatMap(({ words, means }) =>
      listOf(words).flatMap((phrase) => spellingsOf(phrase).map((spelling) => [spelling, means] as const)),
    ),
  )
  const shorten = replacing(roles.meanings('phrase'))
  const dropped = roles.meanings('phrase').flatMap(([phrase, means]) => (means === '' ? phrase : []))
  const side = new RegExp(`\\b(?:${dropped.join('|')})\\b`)
  const conditions = roles.set('condition')
  const remembered = new Map<string, readonly string[]>()
  const read = (text: string): string[] => {
    const plain = places
      .inEnglish(wordsOf(text.replaceAll(ELISION, '')))
      .map(singular)
      .join(' ')
    return shorten(translate(plain.replaceAll(ARTICLES, '')))
      .split(' ')
      .flatMap((word) => (abbreviations.get(word) ?? word).split(' '))
      .map((word) => same.get(word) ?? word)
      .filter((word) => word !== '')
  }
  return {
    of(text) {
      const known = remembered.get(text)
      if (known) return known
      const words = read(text)
      if (remembered.size >= MOST_REMEMBERED) remembered.clear()
      remembered.set(text, words)
      return words
    },
    isCondition: (word) => conditions.has(word),
    dropsSide: (text) => dropped.length > 0 && side.test(wordsOf(text).map(singular).join(' ')),
  }
}

/** "Vitesse" and, as an English plural would be read, "vitess" for "vitesses". */
const spellingsOf = (phrase: string): string[] => {
  const plain = plainPhrase(phrase)
  return [plain, plain.replaceAll(/sse(?= |$)/g, 'ss')]
}

const plainPhrase = (phrase: string) =>
  wordsOf(phrase.replaceAll(ELISION, '')).map(singular).join(' ').replaceAll(ARTICLES, '')

type Phrase = { readonly words: readonly string[]; readonly means: string }

/** Replaces phrases by their meanings, the longest first. Compares words, since a pattern of all phrases takes 20 µs. */
function replacing(phrases: readonly (readonly [string, string])[]): (text: string) => string {
  const byFirst = new Map<string, Phrase[]>()
  for (const [phrase, means] of new Map(phrases)) {
    const words = phrase.split(' ')
    const first = words[0] ?? ''
    byFirst.set(first, [...(byFirst.get(first) ?? []), { words, means }])
  }
  for (const all of byFirst.values()) all.sort((a, b) => lengthOf(b) - lengthOf(a))
  return (text) => {
    const words = text.split(' ')
    if (!words.some((word) => byFirst.has(word))) return text
    const replaced: string[] = []
    for (let at = 0; at < words.length; ) {
      const found = byFirst
        .get(words[at] ?? '')
        ?.find(({ words: phrase }) => phrase.every((word, place) => words[at + place] === word))
      replaced.push(found ? found.means : (words[at] ?? ''))
      at += found ? found.words.length : 1
    }
    return replaced.join(' ')
  }
}

const lengthOf = ({ words }: Phrase) => words.join(' ').length

/*
 * Roles of words, in `words.csv`. `look`: how a part looks or is made, which does not change what it is.
 * `qualifier`: a word that describes a part without naming it, and may come after its noun ("door glass front").
 * `piece`: small parts that are named after a larger one: an alternator bracket is not an alternator. `loose part`:
 * one-word names that mean a part on their own, but may mean something else next to a second noun: a caliper's
 * piston. `section`: what yards call whole sections of their stock, and the groups of categories that belong to
 * each; none for "Misc".
 */
export type NameWords = Record<'looks' | 'qualifiers' | 'pieces' | 'loose' | 'sided', ReadonlySet<string>> & {
  readonly sections: ReadonlyMap<string, readonly string[]>
}

export function readNameWords(roles: WordRoles): NameWords {
  const looks = roles.set('look')
  return {
    looks,
    qualifiers: new Set([...looks, ...roles.list('qualifier')]),
    pieces: roles.set('piece'),
    loose: roles.set('loose part'),
    sided: roles.set('sided part'),
    sections: new Map(roles.meanings('section').map(([word, groups]) => [word, listOf(groups)])),
  }
}
