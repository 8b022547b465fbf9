/* A header that explains its letters: “SIDE 1=LH 2=RH”, “Status (A=available, S=sold)”. */

const PAIR =
  /(?<![\p{L}\p{N}])([\p{L}\p{N}]{1,3})\s*=\s*(\p{L}[\p{L} ./-]*?)(?=[\s,;/|]+[\p{L}\p{N}]{1,3}\s*=|[\s,;.)\]]*$)/gu
// With one pair it may be a formula or eBay's “Currency=USD”.
const FEWEST_PAIRS = 2

const NO_LEGEND: ReadonlyMap<string, string> = new Map()

/** What the letters of a column mean by its header, in small letters. */
export function legendOf(header: string): ReadonlyMap<string, string> {
  if (!header.includes('=')) return NO_LEGEND
  const pairs = [...header.matchAll(PAIR)].map(
    ([, sign = '', meaning = '']) => [sign.toLowerCase(), meaning.trim()] as const,
  )
  return pairs.length < FEWEST_PAIRS ? NO_LEGEND : new Map(pairs)
}

/** A cell in the words of its header: the “1” of “SIDE 1=LH 2=RH” is LH. */
export const inFull = (cell: string, header: string): string =>
  legendOf(header).get(cell.trim().toLowerCase()) ?? cell

/** The header's own name: “SIDE”. */
export function withoutLegend(header: string): string {
  if (legendOf(header).size === 0) return header
  const bare = header
    .replaceAll(PAIR, ' ')
    .replaceAll(/[\s,;:/|()[\]–-]+$/gu, '')
    .trim()
  return bare === '' ? header : bare
}
