import { demo, signIn } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

const mark = () => Math.random().toString(36).slice(2, 8)

test.beforeEach(async ({ page }) => {
  await signIn(page, demo.admin)
})

test('an admin writes a category, renames it and merges it into another', async ({ page }) => {
  const [written, renamed] = [`Written ${mark()}`, `Renamed ${mark()}`]
  await page.goto('/dashboard/admin/manage-categories')
  await page.getByLabel('Write Category Name').fill(written)
  await page.getByRole('button', { name: 'Create category' }).click()
  await expect(page.getByRole('status').filter({ hasText: `${written} is created` })).toBeVisible()
  await expect(page.getByLabel('Write Category Name')).toHaveValue('')

  await page.getByRole('searchbox', { name: 'Search' }).fill(written)
  await page.getByRole('button', { name: `${written} Unused` }).click()
  await page.getByLabel('New name').fill(renamed)
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: `Renamed to “${renamed}”` })).toBeVisible()

  // The old name is known still.
  await page.getByRole('button', { name: `${renamed} also ${written}` }).click()
  await page.getByRole('combobox', { name: 'Merge into' }).fill('alternator')
  await page
    .getByRole('option', { name: /^Alternator / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  const question = page.getByRole('dialog', { name: new RegExp(`^Merge “${renamed}” into “Alternator`) })
  await question.getByRole('button', { name: 'Merge names' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'merged into “Alternator' })).toBeVisible()
})

test('a manufacturer and a car model are written, and deleted while nothing uses them', async ({ page }) => {
  const [manufacturer, model] = [`Maker ${mark()}`, `Model ${mark()}`]
  await page.goto('/dashboard/admin/manage-manufacturers')
  await page.getByLabel('Write Manufacturer Name').fill(manufacturer)
  await page.getByRole('button', { name: 'Create manufacturer' }).click()
  await expect(page.getByRole('status').filter({ hasText: `${manufacturer} is created` })).toBeVisible()

  await page.getByRole('link', { name: 'Manage Models' }).click()
  const create = page.getByRole('button', { name: 'Create car model' })
  await expect(create).toBeDisabled()
  await page.getByLabel('Model name').fill(model)
  const form = page.getByRole('form', { name: 'Create a Car Model' })
  await form.getByLabel('Manufacturer').selectOption({ label: manufacturer })
  await create.click()
  await expect(page.getByRole('status').filter({ hasText: `"${model}" is created` })).toBeVisible()

  await page.getByPlaceholder('Search models...').fill(model)
  await page.getByRole('button', { name: `${manufacturer} ${model} Unused` }).click()
  await page.getByRole('button', { name: 'Delete car model' }).click()
  const question = page.getByRole('dialog', { name: /^Delete the car model/ })
  await question.getByRole('button', { name: 'Delete car model' }).click()
  await expect(page.getByRole('status').filter({ hasText: `“${model}” deleted` })).toBeVisible()
})

test('an admin finds a listing, changes its price, hides it, and the history tells', async ({ page }) => {
  await page.goto('/dashboard/admin/manage-products?q=radiator&status=ACTIVE')
  await page
    .getByRole('link', { name: /^Update / })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Edit Auto Part Listing' })).toBeVisible()
  const address = new URL(page.url()).pathname
  await page.getByLabel('Price').fill('77.51')
  await page.getByRole('radiogroup', { name: 'Status' }).getByText('Hidden').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Listing updated' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/admin\/manage-products$/)

  await page.goto(`${address}?view=history`)
  const change = page.getByRole('article', { name: 'Edit listing' }).first()
  await expect(change.getByRole('row', { name: /^Price .*\$77\.51$/ })).toBeVisible()
  await expect(change.getByRole('row', { name: 'Status ACTIVE HIDDEN' })).toBeVisible()
  await expect(change).toContainText('version')
})

test('the pager goes where it is told, and Back restores', async ({ page }) => {
  await page.goto('/dashboard/admin/manage-products')
  const pages = page.getByRole('navigation', { name: 'Pages, above the list' })
  await expect(pages).toContainText(/Page 1 of [\d,]+ — [\d,]+ total/)
  await pages.getByLabel('Go to page').fill('999999')
  await pages.getByLabel('Go to page').press('Enter')
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled()
  const last = new URL(page.url()).search
  await pages.getByLabel('Per page').selectOption('24')
  await expect(pages).toContainText('Page 1 of')
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`${last.replace('?', '\\?')}$`))
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled()
})
