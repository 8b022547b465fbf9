import type { AmbiguousRow } from './numbered-part-queries.ts'

/** Why a row is left out that may be any of several parts, and what to do about it. */
export function ambiguityInWords({ parts, stockNumbers, rows }: Omit<AmbiguousRow, 'rowNo'>): string {
  const more = parts > stockNumbers.length ? ', …' : ''
  const known = stockNumbers.length > 0 ? ` (stock number ${stockNumbers.join(', ')}${more})` : ''
  return parts === 1
    ? `it and ${rows === 2 ? 'another row' : `${rows - 1} other rows`} have no stock number, and each may be the same part of yours${known}. Give the rows their stock numbers.`
    : `it has no stock number and may be any of ${parts} parts of yours${known}. Give the row its stock number.`
}
