import type { KnownName } from '#contract/trade-language/verdicts.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'
import type { PartMeaning } from './part-types.ts'

/*
 * Which kind of a general part the other words of a row name: a "wheel" is an Alloy Wheel unless its row says "15x6 steel" or
 * "hubcap style". Role `kind word` in `words.csv`; of two kinds that are named, the one listed first counts.
 */

/** "Not steel", "stainless steel" and the color "steel gray" say nothing about a wheel. */
const NOT_SAID = String.raw`(?<!\b(?:not?|non|stainless)[\s-]+)`
const NOT_OF_PART = String.raw`(?![\s-]+(?:gr[ae]y|blue|metallic|lugs?|nuts?|valves?|caps?|inserts?|brush|wool))`

const TIRE_SIZE = /\b\d{3}\/\d\d ?Z?R?F?\d\d\b/i

export type KindWords = {
  /** The kind that a text names; undefined if it names none. */
  said(types: readonly KnownName[], text: string): KnownName | undefined
  /** “17x7.5 5-spoke” and “15x6 steel” among the yard's wheels are wheels. `head`: of the name's noun, -1 without one. */
  amongHinted(
    name: string,
    reading: { readonly best: object | undefined; readonly head: number },
    general: PartMeaning | undefined,
  ): KnownName | undefined
}

export function openKindWords(roles: WordRoles): KindWords {
  const rows = Map.groupBy(roles.meanings('kind word'), ([, type]) => type)
  const kinds = [...rows].map(([type, words]) => {
    const any = words.map(([phrase]) => phrase).join('|')
    return { type, words: new RegExp(`${NOT_SAID}\\b(?:${any})\\b${NOT_OF_PART}`, 'i') }
  })
  const said: KindWords['said'] = (types, text) => {
    if (text === '') return undefined
    for (const { type, words } of kinds) {
      const kind = types.find(({ name }) => name === type)
      if (kind && words.test(text)) return kind
    }
    return undefined
  }
  return {
    said,
    amongHinted(name, { best, head }, general) {
      if (best || !general?.own || TIRE_SIZE.test(name)) return undefined
      return said(general.types, name) ?? (head === -1 ? general.own : undefined)
    },
  }
}
