import { sql } from 'kysely'
import { readFitment } from '#contract/listing/fitment.ts'
import { yearSpanText } from '#contract/listing/year-span.ts'
import type { FitSuggestion } from '#contract/search/interchange.ts'
import { isForSale, isOfEstablished } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Graph, groupOf, whyOf } from './graph.ts'
import { readGraph } from './number-claims.ts'

/*
 * Vehicles that parts with the same number, or one that interchanges with it, came from. They are suggestions: only the
 * seller adds them to a listing, with the call that edits it.
 */

type Own = {
  id: string
  partslug: string
  partname: string
  partnum: string
  key: string
  categoryId: string
  version: number
  fitment: string | null
  yearFrom: number
  yearTo: number
  vehicle: string
}

type Donor = { key: string; categoryId: string; vehicle: string; yearFrom: number; yearTo: number }

// A page; older parts follow when these have what they fit.
const PARTS_READ = 200
const SUGGESTED = 24
// Maximum per part; a number on more vehicles is not a part number.
const MOST_ROWS = 8

/** For the seller's newest parts. */
export async function suggestFits(db: Db, sellerId: string): Promise<FitSuggestion[]> {
  const own = await listOwn(db, sellerId)
  const graph = await readGraph(db, [...new Set(own.map(({ key }) => key))])
  const groups = new Map(own.map(({ key }) => [key, [key, ...groupOf(graph, key)]]))
  const donors = Map.groupBy(
    await listDonors(db, sellerId, [...new Set([...groups.values()].flat())]),
    ({ key }) => key,
  )
  return own
    .flatMap((part): FitSuggestion[] => {
      const { id, partslug, partname, partnum, version } = part
      const found = (groups.get(part.key) ?? []).flatMap((key) => donors.get(key) ?? [])
      const rows = rowsFor(part, found, graph)
      return rows.length === 0
        ? []
        : [{ id, partslug, partname, partnum, version, fitment: part.fitment, rows }]
    })
    .slice(0, SUGGESTED)
}

const vehicleColumns = sql`
  concat_ws(' ', l.manufacturer_name, l.model_name) as vehicle, l.year_from as "yearFrom", l.year_to as "yearTo"`

async function listOwn(db: Db, sellerId: string): Promise<Own[]> {
  const { rows } = await sql<Own>`
    select l.id, l.slug as partslug, l.name as partname, l.part_number as partnum, l.part_number_key as key,
           l.category_id as "categoryId", l.version, l.fitment, ${vehicleColumns}
    from listing l
    where l.seller_id = ${sellerId} and ${isForSale} and l.category_id is not null and links_parts(l.part_number)
    order by l.id desc limit ${PARTS_READ}
  `.execute(db)
  return rows
}

/**
 * By number, category and vehicle; a number that is on thousands of parts is read as one row for each vehicle. Parts of other
 * sellers that are new are none.
 */
async function listDonors(db: Db, sellerId: string, keys: readonly string[]): Promise<Donor[]> {
  const { rows } = await sql<Donor>`
    select distinct l.part_number_key as key, l.category_id as "categoryId", ${vehicleColumns}
    from listing l
    where ${isForSale} and l.part_number_key = any(${[...keys]}::text[]) and l.category_id is not null
      and l.manufacturer_name <> '' and l.model_name <> '' and l.year_from is not null
      and (l.seller_id = ${sellerId} or ${isOfEstablished})
  `.execute(db)
  return rows
}

/** Only among parts of the same kind: a number on two kinds is wrong on one of them. */
function rowsFor(part: Own, donors: readonly Donor[], graph: Graph): FitSuggestion['rows'] {
  const others = donors.filter((donor) => donor.categoryId === part.categoryId && !isKnown(part, donor))
  return Array.from(
    Map.groupBy(others, ({ vehicle }) => vehicle),
    ([vehicle, found]) =>
      spansOf(found).map((span) => ({
        row: `${yearSpanText(span)} ${vehicle}`,
        why: reasonOf(part, found, graph),
      })),
  )
    .flat()
    .filter(({ row }) => 'rows' in readFitment(row))
    .slice(0, MOST_ROWS)
}

/** The part's own car, or a vehicle that the seller already lists. */
function isKnown(part: Own, { vehicle, yearFrom, yearTo }: Donor): boolean {
  const listed = readFitment(part.fitment ?? '')
  const own = { vehicle: part.vehicle, from: part.yearFrom, to: part.yearTo }
  return [own, ...('rows' in listed ? listed.rows : [])].some(
    (row) => row.vehicle.toLowerCase() === vehicle.toLowerCase() && row.from <= yearFrom && yearTo <= row.to,
  )
}

/** Years that touch are one row. */
function spansOf(donors: readonly Donor[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = []
  for (const { yearFrom, yearTo } of donors.toSorted((a, b) => a.yearFrom - b.yearFrom)) {
    const last = spans.at(-1)
    if (last && yearFrom <= last.to + 1) last.to = Math.max(last.to, yearTo)
    else spans.push({ from: yearFrom, to: yearTo })
  }
  return spans
}

function reasonOf({ key, partnum }: Own, [first]: readonly Donor[], graph: Graph): string {
  const why = first && first.key !== key ? whyOf(graph, key, first.key) : undefined
  return why ?? `${partnum} is also on parts from this vehicle`
}
