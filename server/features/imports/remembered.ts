// Makes, grades and cities repeat; a column in which nothing does must not fill the memory.
const MOST_VALUES = 2_000
const LONGEST_VALUE = 64

/** A value is a piece of the text that was read, and kept would keep a quarter of a megabyte. */
const copied = (text: string): string => Buffer.from(text).toString()

/** The same function, which remembers its answers for short texts. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const answer = known.get(text)
    if (answer !== undefined) return answer
    const found = read(text)
    if (text.length > LONGEST_VALUE) return found
    if (known.size >= MOST_VALUES) known.clear()
    known.set(copied(text), typeof found === 'string' ? (copied(found) as typeof found) : found)
    return found
  }
}
