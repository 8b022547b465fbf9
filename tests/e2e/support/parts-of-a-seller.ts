import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Listing } from '#contract/listings.ts'
import { callApi, newSeller, type Person } from './people.ts'

export interface PartsOfASeller {
  person: Person
  token: string
  /** In the name of each of the parts, and of no other. */
  word: string
  parts: Listing[]
}

/**
 * A new seller’s own parts, unknown to other stories: "Starter <word> 1" and so on, with changes of all of them, and of
 * single ones by their number.
 */
export async function makeParts(
  page: Page,
  count: number,
  changes: object = {},
  ofEach: Record<number, object> = {},
): Promise<PartsOfASeller> {
  const { person, token } = await newSeller(page)
  const word = `lot${randomBytes(4).toString('hex')}`
  const { modelIds, ...lookups } = await readLookups(page)
  const make = (_: unknown, place: number) => {
    const own = { partmodel: 'Camry', ...part(word, place + 1), ...lookups, ...changes, ...ofEach[place + 1] }
    const body = { partmodelId: modelIds[own.partmodel], ...own }
    return callApi<Listing>(page, token, '/seller/quick-listings', body)
  }
  const parts = await Promise.all(Array.from({ length: count }, make))
  return { person, token, word, parts }
}

const part = (word: string, number: number) => ({
  partname: `Starter ${word} ${number}`,
  partdescription: 'Bench tested, gear clean.',
  parttrim: 'LE',
  partyear: '2012',
  partgrade: 'B',
  partnum: `28100-${word.slice(3).toUpperCase()}-${number}`,
  partprice: String(40 + number),
  partcity: 'Tulsa',
  partstate: 'OK',
  zipcode: '74103',
  dealername: 'Whitfield Auto Salvage',
  dealerphone: '(918) 555-0142',
  partmiles: '90000',
  partdamage: 'None',
})

/** Any part may come from a Toyota. */
async function readLookups(page: Page) {
  const read = async <Record>(path: string) =>
    (await (await page.request.get(`/api${path}`)).json()) as Record[]
  const [categories, manufacturers] = await Promise.all([
    read<{ id: string; name: string }>('/categories'),
    read<{ id: string; manuname: string }>('/manufacturers'),
  ])
  const partmanuId = manufacturers.find(({ manuname }) => manuname === 'Toyota')?.id
  const models = await read<{ id: string; carname: string }>(`/carmodels?manuId=${partmanuId}`)
  const partcategoryId = categories.find(({ name }) => name === 'Alternator')?.id
  const modelIds = Object.fromEntries(models.map(({ carname, id }) => [carname, id]))
  return { partcategoryId, partmanuId, modelIds }
}
