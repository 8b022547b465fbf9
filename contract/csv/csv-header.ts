/**
 * What the columns of a CSV are called, and which of them a mapping means. Pure, for the page that maps and for the
 * server that reads.
 */

const plain = (name: string) => name.trim().replaceAll(/\s+/g, ' ')
const loose = (name: string) => name.replaceAll(/\s/g, '').toLowerCase()

/** Names that are all different: a second "partname" is "partname (2)", a blank third one "Column 3". */
export function nameColumns(cells: readonly string[]): string[] {
  const taken = new Set<string>()
  // A line of a hundred thousand equal cells may be looked at too: counting goes on where it ended.
  const counts = new Map<string, number>()
  return cells.map((cell, at) => {
    const own = plain(cell) || `Column ${at + 1}`
    let name = own
    let count = counts.get(own) ?? 1
    while (taken.has(name)) {
      count += 1
      name = `${own} (${count})`
    }
    counts.set(own, count)
    taken.add(name)
    return name
  })
}

// Yard programs export a few dozen; thousands are a table on its side, or a file without line ends.
const MOST_COLUMNS = 1_000
const LONGEST_NAME = 500

/** Why a record cannot name the columns of a file, in a sentence; undefined where it can. */
export function headerProblem(cells: readonly string[]): string | undefined {
  if (cells.length > MOST_COLUMNS) {
    return `The file has ${cells.length.toLocaleString('en-US')} columns, and at most 1,000 are read. Is it a CSV with commas, one part a row?`
  }
  const long = cells.findIndex((cell) => cell.length > LONGEST_NAME)
  if (long === -1) return undefined
  return `The name of column ${long + 1} has more than ${LONGEST_NAME} characters. The first row of the file must name its columns.`
}

/** Where the column stands that a mapping calls so: exactly, or else but for case and spaces; -1 where there is none. */
export function findColumn(header: readonly string[], name: string): number {
  const exact = header.indexOf(plain(name))
  return exact === -1 ? header.findIndex((column) => loose(column) === loose(name)) : exact
}

// A file with more such columns is shown by its first ones.
const MOST_SHOWN = 5
const LONGEST_SHOWN = 60

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, MOST_SHOWN).map((name) => `“${name.slice(0, LONGEST_SHOWN)}”`)
  return `${shown.join(', ')}${names.length > MOST_SHOWN ? ', …' : ''}`
}

const originOf = (name: string) => name.replace(/ \(\d+\)$/, '')

/**
 * The name that several columns have, of each column that has such a name; from the names as `nameColumns` answers them.
 * "Price (2)" was "Price" like the one before it.
 */
export function sharedNames(header: readonly string[]): Map<string, string> {
  const names = new Set(header)
  const shared = new Map<string, string>()
  for (const name of header) {
    const origin = originOf(name)
    if (origin === name || !names.has(origin)) continue
    shared.set(name, origin)
    shared.set(origin, origin)
  }
  return shared
}

/**
 * What is odd about a file's columns, in sentences for whoever maps them: names that stand there twice, and columns
 * without one. From the names as `nameColumns` answers them.
 */
export function headerWarnings(header: readonly string[]): string[] {
  const shared = sharedNames(header)
  const repeated = header.filter((name) => (shared.get(name) ?? name) !== name)
  const nameless = header.filter((name, at) => name === `Column ${at + 1}`)
  const warnings: string[] = []
  if (repeated.length > 0) {
    const origins = [...new Set(repeated.map(originOf))]
    warnings.push(
      `More than one column is called ${quoted(origins)}: the first of each keeps its name, the others are ${quoted(repeated)} here. Check that each field has the column you mean.`,
    )
  }
  if (nameless.length > 0) {
    warnings.push(
      `${nameless.length === 1 ? 'A column has' : `${nameless.length} columns have`} no name in the first row: ${quoted(nameless)} here.`,
    )
  }
  return warnings
}
