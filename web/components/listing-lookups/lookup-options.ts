import type { ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import type { Category } from '#contract/lookups.ts'

export type Option = { value: string; label: string }
export type OptionGroup = { group: string; items: Option[] }

/** Categories under their groups, both by name; what has no group comes last. */
export function groupedCategories(categories: readonly Category[]): OptionGroup[] {
  const groups = new Map<string, Option[]>()
  for (const { id, name, group } of categories) {
    const title = group ?? 'Other'
    groups.set(title, [...(groups.get(title) ?? []), { value: id, label: name }])
  }
  return [...groups]
    .map(([group, items]) => ({ group, items: items.toSorted(byLabel) }))
    .toSorted(
      (one, other) => Number(one.group === 'Other') - Number(other.group === 'Other') || byGroup(one, other),
    )
}

const byLabel = (one: Option, other: Option) => one.label.localeCompare(other.label)
const byGroup = (one: OptionGroup, other: OptionGroup) => one.group.localeCompare(other.group)

/** A name that is chosen but not in the public list (yet unconfirmed, or deleted since) stays choosable. */
export function withChosen(options: Option[], chosen: Option | undefined): Option[] {
  if (!chosen?.value || !chosen.label || options.some(({ value }) => value === chosen.value)) return options
  return [chosen, ...options]
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const wordsOf = (text: string) =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/**
 * Every typed word begins a word of the name, in any order ("mirr door" finds "Door Mirror"), or the name holds what is
 * typed when spaces and dashes are left out ("f150" finds "F-150").
 */
export function matchesWords(typed: string, name: string): boolean {
  const words = wordsOf(name)
  const pieces = wordsOf(typed)
  return (
    pieces.every((piece) => words.some((word) => word.startsWith(piece))) ||
    words.join('').includes(pieces.join(''))
  )
}

/** For searchable selects; a group whose own name matches shows everything it holds. */
export const filterByWords: OptionsFilter = ({ options, search }) =>
  options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return matchesWords(search, option.label) ? [option] : []
    const items = option.items.filter(({ label }) => matchesWords(search, `${option.group} ${label}`))
    return items.length > 0 ? [{ ...option, items }] : []
  })
