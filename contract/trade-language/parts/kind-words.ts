import type { KnownName } from '#contract/trade-language/verdicts.ts'
import { listOf, type WordRoles } from '#contract/trade-language/words.ts'

/*
 * Which kind of a general part the other words of a row name: a "wheel" is an Alloy Wheel unless its row says "15x6 steel" or
 * "hubcap style". Role `kind word` in `words.csv`; of two kinds that are named, the one listed first counts.
 */

/** "Not steel", "stainless steel" and the color "steel gray" say nothing about a wheel. */
const NOT_SAID = String.raw`(?<!\b(?:not?|non|stainless)[\s-]+)`
const NOT_OF_PART = String.raw`(?![\s-]+(?:gr[ae]y|blue|metallic|lugs?|nuts?|valves?|caps?|inserts?|brush|wool))`

/** "205/55R16" */
export const saysTireSize = (text: string): boolean => /\b\d{3}\/\d\d ?Z?R?F?\d\d\b/i.test(text)

export type KindSaid = (types: readonly KnownName[], text: string) => KnownName | undefined

export function openKindWords(roles: WordRoles): KindSaid {
  const rows = Map.groupBy(roles.meanings('kind word'), ([, type]) => type)
  const kinds = [...rows].map(([type, words]) => {
    const any = words.flatMap(([phrase]) => listOf(phrase)).join('|')
    return { type, said: new RegExp(`${NOT_SAID}\\b(?:${any})\\b${NOT_OF_PART}`, 'i') }
  })
  return (types, text) => {
    if (text === '') return undefined
    for (const { type, said } of kinds) {
      const kind = types.find(({ name }) => name === type)
      if (kind && said.test(text)) return kind
    }
    return undefined
  }
}
