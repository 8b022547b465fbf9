/**
 * Column names of a CSV, and finding the column a mapping means. Runs in server and browser.
 */

const plain = (name: string) => name.trim().replaceAll(/\s+/g, ' ')
const loose = (name: string) => name.replaceAll(/\s/g, '').toLowerCase()

/** Makes all names unique: a second "partname" becomes "partname (2)", a blank third column "Column 3". */
export function nameColumns(cells: readonly string[]): string[] {
  const taken = new Set<string>()
  // Cached per name, so that a line of a hundred thousand equal cells takes linear time.
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
const MAX_COLUMNS = 1_000
const LONGEST_NAME = 500

/** Why a record cannot be the header, as a sentence; undefined if it can. */
export function headerProblem(cells: readonly string[]): string | undefined {
  if (cells.length > MAX_COLUMNS) {
    return `The file has ${cells.length.toLocaleString('en-US')} columns, and we read at most 1,000. Is it a CSV with commas and one part per row?`
  }
  const long = cells.findIndex((cell) => cell.length > LONGEST_NAME)
  if (long === -1) return undefined
  return `The name of column ${long + 1} has more than ${LONGEST_NAME} characters. The first row of the file must name its columns.`
}

/** Index of the column with this name, exact or ignoring case and spaces; -1 if none. */
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
 * For each column whose original name is not unique, that original name. `header` comes from `nameColumns`: "Price (2)"
 * was "Price" like the one before it.
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
 * Warnings for the user who maps the columns: repeated names and columns without one. `header` comes from
 * `nameColumns`.
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
  if (nameless.length > 1 && nameless.length === header.length) {
    warnings.push('Your file has no column titles. Please check each column below.')
  } else if (nameless.length > 0) {
    warnings.push(
      `${nameless.length === 1 ? 'A column has' : `${nameless.length} columns have`} no name in the first row: ${quoted(nameless)} here.`,
    )
  }
  return warnings
}
