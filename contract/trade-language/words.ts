/*
 * The built-in words of the trade by what they do in a name, from `db/data/words.csv`: sides, abbreviations, pieces, trims.
 * They are data, so the code contains no word lists; the code that reads a role defines it.
 */

/** A row of `words.csv`. `words` and most of `means` are separated by semicolons. */
export type WordRow = { readonly role: string; readonly words: string; readonly means: string }

export type WordRoles = {
  /** All words with this role. */
  list(role: string): readonly string[]
  /** The same as a set. */
  set(role: string): ReadonlySet<string>
  /** The words with this role, each with its meaning. */
  meanings(role: string): readonly (readonly [word: string, means: string])[]
}

export const listOf = (cell: string): string[] =>
  cell
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export function openWordRoles(rows: readonly WordRow[]): WordRoles {
  const byRole = Map.groupBy(rows, ({ role }) => role)
  const meanings = (role: string) =>
    (byRole.get(role) ?? []).flatMap(({ words, means }) =>
      listOf(words).map((word) => [word, means] as const),
    )
  const list = (role: string) => meanings(role).map(([word]) => word)
  const sets = new Map([...byRole.keys()].map((role) => [role, new Set(list(role))]))
  return { list, meanings, set: (role) => sets.get(role) ?? new Set() }
}
