import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Listing, ListingBody } from '#contract/listings.ts'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import type { ApiClient } from './api-client.ts'

export interface Person {
  name: string
  email: string
  password: string
}

/** Different on every call, so that tests of one file never meet. */
export function newPerson(changes: Partial<Person> = {}): Person {
  const mark = () => randomBytes(6).toString('hex')
  return {
    name: 'Dana Whitfield',
    email: `dana-${mark()}@yard.example`,
    password: `${mark()}-Sable-quay`,
    ...changes,
  }
}

/** A real vehicle and part type from the lookups that every database has. */
export interface Lookups {
  category: Category
  manufacturer: Manufacturer
  model: CarModel
}

export async function someLookups(api: ApiClient): Promise<Lookups> {
  const [categories, manufacturers] = await Promise.all([
    api.get<Category[]>('/categories'),
    api.get<Manufacturer[]>('/manufacturers'),
  ])
  const manufacturer = present(manufacturers.body.find(({ manuname }) => manuname === 'Ford'))
  const models = await api.get<CarModel[]>(`/carmodels?manuId=${manufacturer.id}`)
  return { category: present(categories.body[0]), manufacturer, model: present(models.body[0]) }
}

/** A complete quick listing that passes every rule. */
export function quickListing(
  { category, manufacturer, model }: Lookups,
  changes: ListingBody = {},
): ListingBody {
  return {
    partname: 'Alternator',
    partdesc: 'Tested on the bench, 130 A, pulley turns freely.',
    partcategoryId: category.id,
    partmanuId: manufacturer.id,
    partmodel: model.carname,
    partmodelId: model.id,
    parttrim: 'XLT',
    partyear: '2014',
    partgrade: 'A',
    partnum: 'DL3Z-10346-A',
    partmiles: '84000',
    partdamage: 'None',
    partprice: '95.50',
    partcity: 'Tulsa',
    partstate: 'OK',
    zipcode: '74103',
    partdealer: 'Whitfield Auto Salvage',
    phonea: '(918) 555-0142',
    ...changes,
  }
}

/** A complete e-commerce listing, without its picture. */
export function pictureListing(
  { category, manufacturer, model }: Lookups,
  changes: ListingBody = {},
): ListingBody {
  return {
    partname: 'Headlamp assembly',
    partdescription: 'Left side, halogen, no cracks, all tabs present.',
    partcategoryId: category.id,
    partmanuId: manufacturer.id,
    partmanuname: manufacturer.manuname,
    partmodel: model.carname,
    partyear: '2014',
    partgrade: 'B',
    partnum: 'CL34-13W030-AJ',
    partprice: '149.99',
    partshipping: '20',
    partcity: 'Tulsa',
    partstate: 'OK',
    dealername: 'Whitfield Auto Salvage',
    dealerphone: '(918) 555-0142',
    ...changes,
  }
}

/** A plain picture that every decoder reads. */
export function somePicture(
  format: 'png' | 'jpeg' | 'webp' = 'jpeg',
  width = 320,
  height = 240,
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#8a5a3c' } })
    .toFormat(format)
    .toBuffer()
}

/** A multipart form; null and undefined fields are left out. */
export function formOf(
  fields: ListingBody,
  picture?: { bytes: Buffer; name?: string; type?: string },
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) form.append(name, String(value))
  }
  if (picture) {
    const { bytes, name = 'part.jpg', type = 'image/jpeg' } = picture
    form.append('image', new Blob([new Uint8Array(bytes)], { type }), name)
  }
  return form
}

/** Lists a part by text over the API. */
export async function makeQuickListing(api: ApiClient, changes: ListingBody = {}): Promise<Listing> {
  const body = quickListing(await someLookups(api), changes)
  return created(await api.post<Listing>('/seller/quick-listings', body))
}

/** Lists a part with a picture over the API. */
export type NamedPart = {
  name: string
  category: string
  make?: string
  model?: string
  year?: string
  number?: string
}

let numbered = 0

/** The body of a quick listing by the names of its lookups; a Ford F-150's of 2015 if nothing else is said. */
export async function namedPart(
  api: ApiClient,
  { name, category, make = 'Ford', model = 'F-150', year = '2015', number }: NamedPart,
): Promise<ListingBody> {
  const [categories, makes] = await Promise.all([
    api.get<Category[]>('/categories'),
    api.get<Manufacturer[]>('/manufacturers'),
  ])
  const manuId = makes.body.find(({ manuname }) => manuname === make)?.id ?? ''
  const models = (await api.get<CarModel[]>(`/carmodels?manuId=${manuId}`)).body
  numbered += 1
  return {
    partname: name,
    partcategoryId: categories.body.find((one) => one.name === category)?.id ?? '',
    partmanuId: manuId,
    partmodelId: models.find(({ carname }) => carname === model)?.id ?? '',
    partmodel: model,
    partyear: year,
    partnum: number ?? `TEST-${numbered}`,
    partdesc: 'As removed.',
  }
}

export async function makePictureListing(api: ApiClient, changes: ListingBody = {}): Promise<Listing> {
  const body = pictureListing(await someLookups(api), changes)
  return created(await api.post<Listing>('/seller/parts', formOf(body, { bytes: await somePicture() })))
}

function created({ status, body, bytes }: { status: number; body: Listing; bytes: Buffer }): Listing {
  if (status !== 201) throw new Error(`Listing a part answered ${status}: ${bytes}`)
  return body
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The lookups of the template database are missing')
  return value
}
