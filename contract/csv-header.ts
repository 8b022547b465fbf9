/**
 * What the columns of a CSV are called, and which of them a mapping means. Pure, for the page that maps and for the
 * server that reads.
 */

const plain = (name: string) => name.trim().replaceAll(/\s+/g, ' ')
const loose = (name: string) => name.replaceAll(/\s/g, '').toLowerCase()

/** Names that are all different: a second "partname" is "partname (2)", a blank third one "Column 3". */
export function nameColumns(cells: readonly string[]): string[] {
  const taken = new Set<string>()
  return cells.map((cell, at) => {
    const own = plain(cell) || `Column ${at + 1}`
    let name = own
    for (let count = 2; taken.has(name); count++) name = `${own} (${count})`
    taken.add(name)
    return name
  })
}

/** Where the column stands that a mapping calls so: exactly, or else but for case and spaces; -1 where there is none. */
export function findColumn(header: readonly string[], name: string): number {
  const exact = header.indexOf(plain(name))
  return exact === -1 ? header.findIndex((column) => loose(column) === loose(name)) : exact
}
