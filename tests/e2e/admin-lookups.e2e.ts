import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Listing } from '#contract/listings.ts'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { callApi, signInAsNewPro } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

/** A lookup page, and how its names are written and told. */
const pages = [
  {
    noun: 'category',
    many: 'categories',
    path: '/dashboard/admin/manage-categories',
    label: 'Write Category Name',
    full: (name: string) => name,
    ofListing: 'partcategoryId',
  },
  {
    noun: 'manufacturer',
    many: 'manufacturers',
    path: '/dashboard/admin/manage-manufacturers',
    label: 'Write Manufacturer Name',
    full: (name: string) => name,
    ofListing: 'partmanuId',
  },
  {
    noun: 'car model',
    many: 'car models',
    path: '/dashboard/admin/manage-car-models',
    label: 'Model name',
    full: (name: string) => `Toyota ${name}`,
    ofListing: 'partmodelId',
  },
] as const
type LookupPage = (typeof pages)[number]

const newName = (word: string) => `${word} ${randomBytes(4).toString('hex')}`

const existing = (page: Page, { many }: LookupPage) => page.getByRole('region', { name: `Existing ${many}` })

/** Writes a name into the page's form and sends it. */
async function create(page: Page, lookups: LookupPage, name: string): Promise<void> {
  await page.getByLabel(lookups.label).fill(name)
  const send = page.getByRole('button', { name: `Create ${lookups.noun}`, exact: true })
  if (lookups.noun === 'car model') {
    const manufacturer = page.getByRole('form', { name: 'Create a Car Model' }).getByLabel('Manufacturer')
    if ((await manufacturer.inputValue()) === '') {
      await expect(send).toBeDisabled()
      await manufacturer.selectOption('Toyota')
    }
  }
  await send.click()
}

const asAdmin = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function createByApi(page: Page, token: string, { noun }: LookupPage, name: string): Promise<void> {
  if (noun === 'category') await callApi(page, token, '/category', { name })
  else if (noun === 'manufacturer') await callApi(page, token, '/manufacturer', { manuname: name })
  else
    await callApi(page, token, '/carmodel', {
      carname: name,
      manuId: await idOf(page, token, 'manufacturer', 'Toyota'),
    })
}

async function idOf(page: Page, token: string, kind: string, name: string): Promise<string | undefined> {
  const search = new URLSearchParams({ q: name })
  const found = await page.request.get(`/api/admin/lookups/${kind}?${search}`, asAdmin(token))
  const { items } = (await found.json()) as { items: { id: string; name: string }[] }
  return items.find((lookup) => lookup.name === name)?.id
}

/** A seller lists a part under the name. */
async function useName(page: Page, token: string, { noun, ofListing }: LookupPage, name: string) {
  const id = await idOf(page, token, noun.replace(' ', '-'), name)
  const model = async () => {
    if (noun === 'category') return {}
    if (noun === 'car model') return { partmodel: name }
    const made = await callApi<{ id: string }>(page, token, '/carmodel', { carname: name, manuId: id })
    return { partmodel: name, partmodelId: made.id }
  }
  const { parts } = await makeParts(page, 1, { ...(await model()), [ofListing]: id })
  return {
    by: noun === 'manufacturer' ? '1 listing and 1 car model' : '1 listing',
    nameNow: async () => {
      const reply = await page.request.get(`/api/admin/parts/${parts[0]?.id}`, asAdmin(token))
      const listing = (await reply.json()) as Listing
      if (noun === 'category') return listing.partcategory?.name
      return noun === 'manufacturer' ? listing.partmanuname : listing.partmodel
    },
  }
}

async function search(page: Page, words: string): Promise<void> {
  await page.getByLabel('Search').first().fill(words)
}

/** Finds a name in the list and opens what can be done with it. */
async function open(page: Page, lookups: LookupPage, name: string) {
  await search(page, name)
  const line = existing(page, lookups).getByRole('button', { name: lookups.full(name) })
  await line.click()
  return page.getByRole('dialog', { name: lookups.full(name) })
}

for (const lookups of pages) {
  const { noun, path, full } = lookups

  test(`a ${noun} is created once, renamed, merged into another with its listings, and deleted when unused`, async ({
    page,
  }) => {
    const { token } = await signInAsAdmin(page)
    const [wrong, right, unused] = [newName('Vandle'), newName('Handle'), newName('Idle')]
    await createByApi(page, token, lookups, right)
    await createByApi(page, token, lookups, unused)
    await page.goto(path)
    await create(page, lookups, `  ${right.toUpperCase().replace(' ', '')} `)
    await expect(page.getByText(`There is already a ${noun} named`).first()).toBeVisible()
    await create(page, lookups, wrong)
    await expect(page.getByRole('status').filter({ hasText: wrong })).toContainText('is created')
    await expect(existing(page, lookups).getByRole('button', { name: full(wrong) })).toBeVisible()

    const renaming = await open(page, lookups, wrong)
    const renamed = wrong.replace('Vandle', 'Handel')
    await renaming.getByLabel('New name').fill(renamed)
    await renaming.getByRole('button', { name: 'Rename' }).click()
    await expect(page.getByText(`Renamed to “${renamed}”`)).toBeVisible()

    const used = await useName(page, token, lookups, renamed)
    await page.reload()
    const merging = await open(page, lookups, renamed)
    await expect(merging.getByText(used.by, { exact: true })).toBeVisible()
    await expect(merging.getByRole('button', { name: `Delete ${noun}` })).toBeDisabled()
    await merging.getByRole('combobox', { name: 'Merge into' }).fill(right)
    await page.getByRole('option', { name: full(right) }).click()
    await merging.getByRole('button', { name: 'Merge', exact: true }).click()
    const question = page.getByRole('dialog', { name: `Merge “${full(renamed)}” into “${full(right)}”?` })
    await expect(question).toContainText(`${used.by} of “${full(renamed)}” will be of “${full(right)}”.`)
    await question.getByRole('button', { name: 'Merge names' }).click()
    await expect(page.getByText(`“${renamed}” merged into “${right}”; its listings follow`)).toBeVisible()
    await expect.poll(used.nameNow).toBe(right)
    await search(page, renamed)
    const kept = existing(page, lookups).getByRole('button', { name: full(right) })
    await expect(kept).toContainText(renamed)
    await expect(kept).toContainText(used.by)

    const deleting = await open(page, lookups, unused)
    await deleting.getByRole('button', { name: `Delete ${noun}` }).click()
    const sure = page.getByRole('dialog', { name: `Delete the ${noun} “${full(unused)}”?` })
    await sure.getByRole('button', { name: `Delete ${noun}` }).click()
    await expect(page.getByText(`“${unused}” deleted`)).toBeVisible()
    await expect(page.getByText(/^No .* match\.$/)).toBeVisible()
  })
}

test('a name that came with a file is confirmed, and then everybody can choose it', async ({ page }) => {
  const { token } = await signInAsNewPro(page)
  const name = newName('Gizmo')
  const lines = [
    'Stock #,Year,Make,Model,Part Type,Part #,Retail price,Group',
    `G-1,2012,Toyota,Camry,${name} bracket,99-${name.slice(-8)},12.50,${name}`,
  ]
  const mapping = {
    stocknum: 'Stock #',
    partyear: 'Year',
    partmanu: 'Make',
    partmodel: 'Model',
    partname: 'Part Type',
    partnum: 'Part #',
    partprice: 'Retail price',
    partcategory: 'Group',
  }
  const sent = await page.request.post('/api/pro/bulk/parts/csv', {
    headers: { authorization: `Bearer ${token}` },
    multipart: {
      mapping: JSON.stringify(mapping),
      defaults: '{}',
      chunkIndex: '0',
      chunkCount: '1',
      idempotencyKey: name,
      file: { name: 'gizmo.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) },
    },
  })
  expect(sent.ok(), await sent.text()).toBe(true)

  await signInAsAdmin(page)
  await expect(async () => {
    await page.goto(`/dashboard/admin/manage-categories?q=${encodeURIComponent(name)}`)
    await expect(page.getByRole('heading', { name: /new from files/ })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  const chosen = async () => (await (await page.request.get('/api/categories')).text()).includes(name)
  expect(await chosen()).toBe(false)
  await page.getByRole('button', { name: `Confirm ${name}` }).click()
  await expect(page.getByText(`“${name}” confirmed`)).toBeVisible()
  await expect(existing(page, pages[0]).getByRole('button', { name })).toContainText('1 listing')
  expect(await chosen()).toBe(true)
})
