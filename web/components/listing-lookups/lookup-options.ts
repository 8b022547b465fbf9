import type { ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import type { Category } from '#contract/lookups.ts'

export type Option = { value: string; label: string; aliases?: readonly string[] }
export type OptionGroup = { group: string; items: Option[] }

/** Categories by group, sorted by name; those without a group come last. */
export function groupedCategories(categories: readonly Category[]): OptionGroup[] {
  const groups = new Map<string, Option[]>()
  for (const { id, name, group, aliases } of categories) {
    const title = group ?? 'Other'
    groups.set(title, [...(groups.get(title) ?? []), { value: id, label: name, aliases }])
  }
  return [...groups]
    .map(([group, items]) => ({ group, items: items.toSorted(byLabel) }))
    .toSorted(
      (one, other) => Number(one.group === 'Other') - Number(other.group === 'Other') || byGroup(one, other),
    )
}

const byLabel = (one: Option, other: Option) => one.label.localeCompare(other.label)
const byGroup = (one: OptionGroup, other: OptionGroup) => one.group.localeCompare(other.group)

/** Adds the chosen option if the public list lacks it (not confirmed yet, or deleted). */
export function withChosen(options: Option[], chosen: Option | undefined): Option[] {
  if (!chosen?.value || !chosen.label || options.some(({ value }) => value === chosen.value)) return options
  return [chosen, ...options]
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const wordsOf = (text: string) =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const startsWords = (pieces: readonly string[], words: readonly string[]) =>
  pieces.every((piece) => words.some((word) => word.startsWith(piece)))

/**
 * How well a name matches the typed text (0 is best), or undefined if it does not. Words match in any order ("mirr
 * door" finds "Door Mirror"), with or without spaces and dashes ("f150" finds "F-150").
 */
export function matchRank(typed: string, { label, aliases = [] }: Option, group = ''): number | undefined {
  const pieces = wordsOf(typed)
  const whole = pieces.join('')
  const words = wordsOf(label)
  const others = aliases.map(wordsOf)
  const joined = words.join('')
  const joinedOthers = others.map((alias) => alias.join(''))
  const ranks = [
    () => startsWords(pieces, words) || joined.startsWith(whole),
    () =>
      startsWords(pieces, [...words, ...others.flat()]) ||
      joinedOthers.some((alias) => alias.startsWith(whole)),
    () => startsWords(pieces, [...words, ...wordsOf(group)]),
    () => [joined, ...joinedOthers].some((text) => text.includes(whole)),
  ]
  const rank = ranks.findIndex((answers) => answers())
  return rank === -1 ? undefined : rank
}

type Ranked<T> = { found: T; rank: number }

const bestFirst = <T>(all: readonly Ranked<T>[]): T[] =>
  all.toSorted((one, other) => one.rank - other.rank).map(({ found }) => found)

function ranked(items: readonly Option[], typed: string, group?: string): Ranked<Option>[] {
  return items.flatMap((found) => {
    const rank = matchRank(typed, found, group)
    return rank === undefined ? [] : [{ found, rank }]
  })
}

/** For searchable selects, best match first. A group whose name matches shows all its options. */
export const filterByWords: OptionsFilter = ({ options, search }) =>
  bestFirst(
    options.flatMap((option): Ranked<ComboboxParsedItem>[] => {
      if (!('group' in option)) return ranked([option], search)
      const items = ranked(option.items, search, String(option.group))
      if (items.length === 0) return []
      return [
        { found: { ...option, items: bestFirst(items) }, rank: Math.min(...items.map(({ rank }) => rank)) },
      ]
    }),
  )

/** The option with exactly the typed name, or the only match. */
export function onlyMatch(options: readonly ComboboxParsedItem[], typed: string): Option | undefined {
  if (typed.trim() === '') return undefined
  const all = options.flatMap((option) => ('group' in option ? option.items : [option]))
  const named = all.find(({ label }) => plain(label) === plain(typed.trim()))
  if (named) return named
  const found = ranked(all, typed)
  return found.length === 1 ? found[0]?.found : undefined
}
