import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Listing } from '#contract/listings.ts'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { callApi, signInAsNewPro } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

/* Categories; manufacturers and car models use the same desk (tests/web/administering.test.tsx). */

const newName = (word: string) => `${word} ${randomBytes(4).toString('hex')}`
const existing = (page: Page) => page.getByRole('region', { name: 'Existing categories' })
const search = (page: Page, words: string) => page.getByLabel('Search').first().fill(words)

async function create(page: Page, name: string): Promise<void> {
  await page.getByLabel('Write Category Name').fill(name)
  await page.getByRole('button', { name: 'Create category', exact: true }).click()
}

/** Finds a name in the list and opens its actions. */
async function open(page: Page, name: string) {
  await search(page, name)
  await existing(page).getByRole('button', { name }).click()
  return page.getByRole('dialog', { name })
}

test('a category is created once, renamed, merged into another with its listings, and deleted when unused', async ({
  page,
}) => {
  const { token } = await signInAsAdmin(page)
  const [wrong, right, unused] = [newName('Vandle'), newName('Handle'), newName('Idle')]
  await callApi(page, token, '/category', { name: right })
  await callApi(page, token, '/category', { name: unused })
  await page.goto('/dashboard/admin/manage-categories')
  await create(page, `  ${right.toUpperCase().replace(' ', '')} `)
  await expect(page.getByText(/“.+” already exists/).first()).toBeVisible()
  await create(page, wrong)
  await expect(page.getByRole('status').filter({ hasText: wrong })).toContainText('is created')
  await expect(existing(page).getByRole('button', { name: wrong })).toBeVisible()

  const headers = { authorization: `Bearer ${token}` }
  const found = await page.request.get(`/api/admin/lookups/category?q=${wrong}`, { headers })
  const [category] = ((await found.json()) as { items: { id: string }[] }).items
  const { parts } = await makeParts(page, 1, { partcategoryId: category?.id })
  const categoryNow = async () => {
    const reply = await page.request.get(`/api/admin/parts/${parts[0]?.id}`, { headers })
    return ((await reply.json()) as Listing).partcategory?.name
  }

  const renaming = await open(page, wrong)
  const renamed = wrong.replace('Vandle', 'Handel')
  await renaming.getByLabel('New name').fill(renamed)
  await renaming.getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByText(`Renamed to “${renamed}”`)).toBeVisible()

  const merging = await open(page, renamed)
  await expect(merging.getByText('1 listing', { exact: true })).toBeVisible()
  await expect(merging.getByRole('button', { name: 'Delete category' })).toBeDisabled()
  await merging.getByRole('combobox', { name: 'Merge into' }).fill(right)
  await page.getByRole('option', { name: right }).click()
  await merging.getByRole('button', { name: 'Merge', exact: true }).click()
  const question = page.getByRole('dialog', { name: `Merge “${renamed}” into “${right}”?` })
  await expect(question).toContainText(`1 listing will move from “${renamed}” to “${right}”.`)
  await question.getByRole('button', { name: 'Merge names' }).click()
  await expect(page.getByText(`“${renamed}” merged into “${right}”`)).toBeVisible()
  await expect.poll(categoryNow).toBe(right)
  await search(page, renamed)
  const kept = existing(page).getByRole('button', { name: right })
  await expect(kept).toContainText(renamed)
  await expect(kept).toContainText('1 listing')

  const deleting = await open(page, unused)
  await deleting.getByRole('button', { name: 'Delete category' }).click()
  const sure = page.getByRole('dialog', { name: `Delete the category “${unused}”?` })
  await sure.getByRole('button', { name: 'Delete category' }).click()
  await expect(page.getByText(`“${unused}” deleted`)).toBeVisible()
  await expect(page.getByText(/^No .* match\.$/)).toBeVisible()
})

test('a make that a seller added with a file is confirmed', async ({ page }) => {
  const { token } = await signInAsNewPro(page)
  const make = newName('Gizmo')
  const lines = [
    'Stock #,Year,Make,Model,Part Type,Part #,Retail price',
    `G-1,2012,${make},Runabout,Alternator,99-${make.slice(-8)},12.50`,
  ]
  const mapping = {
    stocknum: 'Stock #',
    partyear: 'Year',
    partmanu: 'Make',
    partmodel: 'Model',
    partname: 'Part Type',
    partnum: 'Part #',
    partprice: 'Retail price',
  }
  const headers = { authorization: `Bearer ${token}` }
  const sent = await page.request.post('/api/pro/bulk/parts/csv', {
    headers,
    multipart: {
      mapping: JSON.stringify(mapping),
      defaults: '{}',
      chunkIndex: '0',
      chunkCount: '1',
      idempotencyKey: make,
      file: { name: 'gizmo.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) },
    },
  })
  expect(sent.ok(), await sent.text()).toBe(true)
  const { importId } = (await sent.json()) as { importId: string }
  const heldRows = async () => {
    const reply = await page.request.get(`/api/pro/imports/${importId}/questions`, { headers })
    return ((await reply.json()) as { held?: number }).held
  }
  await expect.poll(heldRows, { timeout: 30_000 }).toBe(1)
  await callApi(page, token, '/pro/names', {
    answers: [{ kind: 'manufacturer', typed: make, about: '', lookupId: null }],
  })

  const admin = await signInAsAdmin(page)
  const newNames = async () => {
    const reply = await page.request.get('/api/admin/lookups/manufacturer', {
      headers: { authorization: `Bearer ${admin.token}` },
      params: { q: make, state: 'provisional' },
    })
    return ((await reply.json()) as { total: number }).total
  }
  await expect.poll(newNames, { timeout: 30_000 }).toBe(1)
  await page.goto(`/dashboard/admin/manage-manufacturers?q=${encodeURIComponent(make)}`)
  await expect(page.getByRole('heading', { name: /new from files/ })).toBeVisible()
  await page.getByRole('button', { name: `Confirm ${make}` }).click()
  await expect(page.getByText(`“${make}” confirmed`)).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Existing manufacturers' }).getByRole('button', { name: make }),
  ).toBeVisible()
})
