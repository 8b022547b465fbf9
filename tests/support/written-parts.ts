import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { towns } from '#server/features/demo/data.ts'
import { type KnownNames, knownNames } from '#server/features/writing/known-names.ts'
import { type PartFacts, type RecordFields, readPartFacts } from '#server/features/writing/part-facts.ts'
import { columnAt, yardMapping, yardRows } from './yard-file.ts'

/** Everything that the lookups and the towns of the demo data can name, with the aliases that people use of makes. */
export function allKnownNames(): KnownNames {
  const vehicles = readVehicles()
  const names = new Set([
    ...vehicles.flatMap(({ manufacturer, model }) => [manufacturer, model]),
    ...readPartTypes().map(({ name }) => name),
    ...towns.map(({ city }) => city),
  ])
  names.delete('Chevrolet')
  return knownNames([{ name: 'Chevrolet', aliases: ['Chevy'] }, ...[...names].map((name) => ({ name }))])
}

const DAMAGES = [
  'None',
  'Light surface scratches',
  'Stone chips',
  'Housing cracked, works',
  'Small scuff, will polish out',
  '',
]

/** Records as differently filled as staged files are: towns, damages, year ranges and missing fields take turns. */
export function variedParts(count: number, seed: string): PartFacts[] {
  const groupOf = new Map(readPartTypes().map(({ name, group }) => [name, group]))
  return [...yardRows(count, seed)].map((row, at) => {
    const fields: Record<string, unknown> = Object.fromEntries(
      Object.entries(yardMapping).map(([field, column]) => [
        field,
        row[columnAt(column as Parameters<typeof columnAt>[0])],
      ]),
    )
    const identity = String(fields.stocknum)
    return readPartFacts(identity, varied(fields, at), groupOf.get(String(fields.partcategory)))
  })
}

function varied(fields: RecordFields, at: number): RecordFields {
  const town = towns[at % towns.length]
  const year = Number(fields.partyear)
  const without = (name: string, every: number) => (at % every === 0 ? { [name]: '' } : {})
  return {
    ...fields,
    partcity: town?.city,
    partstate: town?.state,
    partdamage: DAMAGES[at % DAMAGES.length],
    ...(at % 5 === 0 && { partyear: `${year}-${year + 3}` }),
    ...without('vin', 2),
    ...without('partmiles', 7),
    ...without('partnum', 11),
    ...without('partgrade', 13),
    ...without('partshipping', 17),
  }
}
