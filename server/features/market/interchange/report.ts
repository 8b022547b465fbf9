import { sql } from 'kysely'
import { numberKey } from '#contract/listing/interchange.ts'
import type { InterchangeReport } from '#contract/search/interchange.ts'
import { isForSale, isOfEstablished } from '#server/features/market/for-sale/for-sale.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { whyOf } from './graph.ts'
import { counts, isRemoved, readGraph } from './number-claims.ts'

/* Problems that a yard can fix: parts without interchange, and statements that contradict each other. */

type Asked = { readonly sellerId: string; readonly page: number; readonly perPage: number }

export async function readReport(db: Db, { sellerId, page, perPage }: Asked): Promise<InterchangeReport> {
  const [counts, without, ofParts, ofClaims, inOrder] = await Promise.all([
    countCoverage(db, sellerId),
    listWithout(db, { sellerId, page, perPage }),
    numbersOfSeveralParts(db, sellerId),
    claimsAcrossParts(db, sellerId),
    claimsInCircles(db, sellerId),
  ])
  return { ...counts, without, page, perPage, contradictions: [...ofParts, ...ofClaims, ...inOrder] }
}

// One pass over both sides; looked up listing by listing it takes ten times as long.
const isLinked = (sellerId: string) => {
  const stated = sql`
    interchange_claim c join seller s on s.id = c.seller_id where c.seller_id = ${sellerId} and not ${isRemoved} or ${counts}`
  return sql`(
    l.interchange is not null
    or l.part_number_key in (select c.number_key from ${stated} union all select c.other_key from ${stated})
  )`
}

async function countCoverage(db: Db, sellerId: string) {
  const { rows } = await sql<Pick<InterchangeReport, 'parts' | 'numbered' | 'linked'>>`
    select count(*)::int as parts, count(l.part_number)::int as numbered,
           (count(*) filter (where ${isLinked(sellerId)}))::int as linked
    from listing l where l.seller_id = ${sellerId} and ${isForSale}
  `.execute(db)
  return onlyRow(rows)
}

/** The newest first. */
async function listWithout(
  db: Db,
  { sellerId, page, perPage }: Asked,
): Promise<InterchangeReport['without']> {
  const { rows } = await sql<InterchangeReport['without'][number]>`
    select l.id, l.slug as partslug, l.name as partname, l.part_number as partnum, l.version,
           concat_ws(' ', case when l.year_from = l.year_to then l.year_from::text else l.year_from || '-' || l.year_to end,
                     nullif(l.manufacturer_name, ''), nullif(l.model_name, '')) as vehicle
    from listing l where l.seller_id = ${sellerId} and ${isForSale} and ${isLinked(sellerId)} is not true
    order by l.id desc limit ${perPage} offset ${(page - 1) * perPage}
  `.execute(db)
  return rows
}

/* Contradictions */

// A page that a person works through; the next appear when these are fixed.
const SHOWN = 50

type Contradiction = InterchangeReport['contradictions'][number]
type Part = Contradiction['parts'][number]

const asPart = sql`jsonb_build_object('id', l.id, 'partslug', l.slug, 'partname', l.name, 'category', c.name)`

/** One number on a mirror and a radiator. */
async function numbersOfSeveralParts(db: Db, sellerId: string): Promise<Contradiction[]> {
  const { rows } = await sql<{ number: string; parts: Part[] }>`
    select min(l.part_number) as number, (array_agg(${asPart} order by l.id))[1:4] as parts
    from listing l join category c on c.id = l.category_id
    where l.seller_id = ${sellerId} and ${isForSale} and l.part_number_key is not null and links_parts(l.part_number)
    group by l.part_number_key having count(distinct l.category_id) > 1
    order by max(l.created_at) desc limit ${SHOWN}
  `.execute(db)
  return rows.map(({ number, parts }) => ({
    sentence: `${number} is on different parts: ${kindsOf(parts)}.`,
    parts,
    claimId: null,
  }))
}

const kindsOf = (parts: readonly Part[]) => [...new Set(parts.map(({ category }) => category))].join(', ')

/** Own statements whose two numbers are on the market for different parts; other sellers' that are new are no market. */
async function claimsAcrossParts(db: Db, sellerId: string): Promise<Contradiction[]> {
  const { rows } = await sql<Statement & { kinds: string; otherKinds: string }>`
    select stated.*, k.names as kinds, o.names as "otherKinds"
    from (${statedBy(sellerId)}) stated, ${kindsUnder('number', sellerId)} k, ${kindsUnder('other', sellerId)} o
    where not k.ids && o.ids
    order by stated.id desc limit ${SHOWN}
  `.execute(db)
  return rows.map((row) => ({
    sentence: `You state that ${statementInWords(row)}, but ${row.number} is listed as ${row.kinds} and ${row.other} as ${row.otherKinds}.`,
    ...fixOf(row),
  }))
}

type Statement = {
  id: string
  kind: 'same' | 'replaces'
  number: string
  other: string
  listingId: string | null
  part: Part | null
}

// The newest; a yard that states more fixes these first.
const STATEMENTS_READ = 2_000

/** A yard's newest statements with the listing that makes them. */
const statedBy = (sellerId: string) => sql`
  select s.id, s.kind, s.number, s.other, s.number_key, s.other_key, s.listing_id as "listingId",
         (select ${asPart} from listing l left join category c on c.id = l.category_id where l.id = s.listing_id) as part
  from interchange_claim s where s.seller_id = ${sellerId} order by s.id desc limit ${STATEMENTS_READ}`

/** The categories of what is for sale under a number. */
const kindsUnder = (end: 'number' | 'other', sellerId: string) => sql`
  lateral (
    select array_agg(distinct l.category_id) as ids, string_agg(distinct c.name, ', ') as names
    from listing l join category c on c.id = l.category_id
    where ${isForSale} and l.part_number_key = stated.${sql.ref(`${end}_key`)}
      and (l.seller_id = ${sellerId} or ${isOfEstablished})
  )`

const statementInWords = ({ kind, number, other }: Statement) =>
  kind === 'same' ? `${number} and ${other} are the same part` : `${number} replaces ${other}`

const fixOf = ({ id, listingId, part }: Statement): Pick<Contradiction, 'parts' | 'claimId'> => ({
  parts: part ? [part] : [],
  claimId: listingId === null ? id : null,
})

/** Own supersessions that surer statements contradict. */
async function claimsInCircles(db: Db, sellerId: string): Promise<Contradiction[]> {
  const { rows } =
    await sql<Statement>`select * from (${statedBy(sellerId)}) s where kind = 'replaces'`.execute(db)
  const ends = rows.flatMap(({ number, other }) => [numberKey(number), numberKey(other)])
  const graph = await readGraph(db, [...new Set(ends)])
  const refused = new Set(graph.refused.map((edge) => `${edge.number} ${edge.other}`))
  return rows
    .filter(({ number, other }) => refused.has(`${numberKey(number)} ${numberKey(other)}`))
    .slice(0, SHOWN)
    .map((row) => ({
      sentence: `You state that ${statementInWords(row)}, but ${whyOf(graph, numberKey(row.number), numberKey(row.other))}.`,
      ...fixOf(row),
    }))
}
