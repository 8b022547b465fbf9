/*
 * Whether a buyer who typed a query would be glad to see a listing: the right kind of part, for the right vehicle if one
 * is given, of the right side if one is given. Judged by the listing's own fields alone, never by what the search made
 * of the query.
 */

/** What the judge reads of a listing; every public card has it. */
export type JudgedListing = {
  partname: string
  partyear: string | null
  partyearto?: string | null
  partmanuname: string
  partmodel: string | null
  partcategory: { name: string } | null
  partnum: string | null
}

export type Side = 'left' | 'right' | 'front' | 'rear'

/** What the buyer wants. What is left out does not matter. */
export type Wanted = {
  /** One of these part types. */
  parts?: readonly string[]
  /** One of these, as "make/model"; a `*` at the end stands for the rest of a name. */
  vehicles?: readonly string[]
  years?: readonly [from: number, to: number]
  sides?: readonly Side[]
  /** Words that the listing's name must have: "5.3L", "17 in". */
  inName?: readonly string[]
  /** This part number, or after `~` every number that is one character away. */
  number?: string
}

export type JudgedQuery = { query: string; wanted: Wanted }

/** Its part type; '' without one. */
export const partOf = ({ partcategory }: JudgedListing): string => partcategory?.name ?? ''

/** Whether the listing is one the buyer looked for. */
export function isRelevant(listing: JudgedListing, wanted: Wanted): boolean {
  const { parts, vehicles, years, sides = [], inName = [], number } = wanted
  return (
    (!parts || parts.includes(partOf(listing))) &&
    (!vehicles || vehicles.some((pattern) => isVehicle(listing, pattern))) &&
    (!years || isOfYears(listing, years)) &&
    sides.every((side) => suitsSide(listing.partname, side)) &&
    inName.every((words) => ` ${listing.partname} `.toLowerCase().includes(` ${words.toLowerCase()} `)) &&
    (number === undefined || isNumber(listing.partnum ?? '', number))
  )
}

function isVehicle({ partmanuname, partmodel }: JudgedListing, pattern: string): boolean {
  const name = `${partmanuname}/${partmodel ?? ''}`.toLowerCase()
  const wanted = pattern.toLowerCase()
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted
}

function isOfYears({ partyear, partyearto }: JudgedListing, [from, to]: readonly [number, number]): boolean {
  const first = Number(partyear)
  return first <= to && Number(partyearto ?? first) >= from
}

const across: Record<Side, Side> = { left: 'right', right: 'left', front: 'rear', rear: 'front' }

/** A name without a side suits both: most sellers of a part that exists once per car do not write one. */
function suitsSide(name: string, side: Side): boolean {
  const words: string[] = name.toLowerCase().match(/[a-z]+/g) ?? []
  return words.includes(side) || !words.includes(across[side])
}

const bare = (number: string) => number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

function isNumber(number: string, wanted: string): boolean {
  if (!wanted.startsWith('~')) return bare(number) === bare(wanted)
  return isOneAway(bare(number), bare(wanted))
}

/** One character added, left out or changed, or two neighbors swapped. */
export function isOneAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || short === long) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  const [left, right] = [short.slice(start), long.slice(start)]
  if (short.length < long.length) return left === right.slice(1)
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
  return isSwapped || left.slice(1) === right.slice(1)
}
