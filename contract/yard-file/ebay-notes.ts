/** Why a row of an eBay file makes no part of its own, though it is neither fitment nor a variation. */
export type LeftOut = 'ended' | 'action' | 'remark' | 'orphan'

const reasons: Record<LeftOut, (one: boolean) => string> = {
  ended: (one) => (one ? 'ends or deletes its listing' : 'end or delete their listings'),
  action: (one) => (one ? 'has an action that lists no part' : 'have actions that list no part'),
  remark: (one) => (one ? 'is a remark of eBay’s template' : 'are remarks of eBay’s template'),
  orphan: (one) =>
    one
      ? 'is fitment or a variation without its part above it'
      : 'are fitment or variations without their part above them',
}
const order = Object.keys(reasons) as LeftOut[]

const MOST_NAMED = 5

type EbayNotes = { add(reason: LeftOut, row: number): void; sentences(): string[] }

/** Collects the rows that are left out, and says of each kind how many and which first. */
export function ebayNotes(): EbayNotes {
  const found = new Map<LeftOut, { count: number; first: number[] }>()
  return {
    add: (reason, row) => {
      const kind = found.get(reason) ?? { count: 0, first: [] }
      kind.count += 1
      if (kind.first.length < MOST_NAMED) kind.first.push(row)
      found.set(reason, kind)
    },
    sentences: () =>
      order.flatMap((reason) => {
        const kind = found.get(reason)
        return kind
          ? `${sayRows(kind.count, kind.first)} ${reasons[reason](kind.count === 1)}: left out.`
          : []
      }),
  }
}

function sayRows(count: number, first: readonly number[]): string {
  if (count === 1) return `Row ${first[0]}`
  const named = first.map((row) => row.toLocaleString('en-US'))
  if (count > first.length) return `${count.toLocaleString('en-US')} rows (${named.join(', ')}, …)`
  return `Rows ${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
}
