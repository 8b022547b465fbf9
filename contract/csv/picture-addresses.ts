import { MAX_PICTURES } from '#contract/listing/listing-rules.ts'

/** Between the addresses of one cell, as our export writes them. */
export const ADDRESS_SEPARATOR = ' | '

/** Only before an address, since an address may contain each of these itself. */
const BETWEEN = /[\s|;,]+(?=https?:\/\/)/i
const AROUND = /^[\s|;,]+|[\s|;,]+$/g

/** "front.jpg (https://…)", as Airtable writes attachments. */
const NAMED = /[^|;,()]*\((https?:\/\/[^()\s]+)\)/gi

/**
 * The addresses of pictures in a cell, separated by spaces, line breaks, |, ; or commas; each once, as many as a listing
 * takes. Text without an address comes back as it is, for a check to refuse.
 */
export function splitAddresses(cell: string): string[] {
  // Most cells have one; "https://" ends at the eighth character.
  if (!cell.includes('://', 8)) return cell === '' ? [] : [cell]
  const bare = cell.includes('(http') ? cell.replaceAll(NAMED, '$1') : cell
  const addresses = bare.replace(AROUND, '').split(BETWEEN)
  return [...new Set(addresses)].slice(0, MAX_PICTURES)
}

export const joinAddresses = (addresses: readonly string[]): string => addresses.join(ADDRESS_SEPARATOR)

/** A picture cell joined with further picture columns; if those are empty, the cell unchanged. */
export function withFurtherPictures(cell: string, further: readonly string[]): string {
  if (!further.some(isAddress)) return cell
  return joinAddresses([cell, ...further].filter(isAddress))
}

const isAddress = (text: string) => /^\s*https?:\/\//i.test(text)
