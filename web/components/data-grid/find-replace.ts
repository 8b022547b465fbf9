/** Finding and replacing text in cells: pure. */

export type Search = { find: string; matchCase: boolean; wholeCell: boolean }

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

function pattern({ find, matchCase, wholeCell }: Search): RegExp {
  const words = escaped(find)
  return new RegExp(wholeCell ? `^${words}$` : words, matchCase ? 'gu' : 'giu')
}

/** Tells whether a text holds what is searched; nothing is found while nothing is asked. */
export function matcher(search: Search): (text: string) => boolean {
  if (search.find === '') return () => false
  const words = pattern(search)
  return (text) => {
    words.lastIndex = 0
    return words.test(text)
  }
}

/** The text with every occurrence replaced; undefined where there is none. */
export function replacer(search: Search, replacement: string): (text: string) => string | undefined {
  const matches = matcher(search)
  // By a function: "$&" in the replacement is only text.
  return (text) => (matches(text) ? text.replace(pattern(search), () => replacement) : undefined)
}
