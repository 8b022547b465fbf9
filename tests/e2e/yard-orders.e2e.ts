import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import {
  buy,
  makeOnlineYard,
  makeYardPayable,
  payQuoted,
  pickupCodeOf,
} from '#tests/e2e/support/online-yard.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { signIn } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

// Payments, jobs and mails take their time one after the other.
test.describe.configure({ timeout: 120_000 })

const orders = '/dashboard/seller/orders'

/** The row of an order in the yard's list, once the payment has arrived. */
async function findRow(page: Page, number: string, toDo: string): Promise<Locator> {
  const row = page.getByRole('listitem').filter({ hasText: number })
  await expect(async () => {
    await page.reload()
    await expect(row).toContainText(toDo, { timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  return row
}

test('a yard whose payouts are verified accepts the royalty and sells online', async ({ page }) => {
  const { person, token, parts } = await makeParts(page, 1, { partshipping: 'Free' })
  await signIn(page, person)
  const settings = '/dashboard/seller/account-settings#selling'
  await page.goto(settings)
  const card = page.getByRole('region', { name: 'Selling online' })
  await expect(card.getByRole('alert')).toContainText('Verify your payout account first')
  await expect(card.getByRole('switch', { name: 'Sell online' })).toBeDisabled()
  await makeYardPayable(page, token)
  await page.reload()
  await card.getByRole('switch', { name: 'Sell online' }).check()
  await expect(card).toContainText('We keep 10% of the part’s price')
  await card.getByLabel('Days to ship').fill('4')
  await lookAt(page, 'selling-settings')
  await card.getByRole('button', { name: 'Accept 10% and sell online' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'You sell online now' })).toBeVisible()
  const quote = await page.request.get(`/api/parts/${parts[0]?.partslug}/quote`)
  expect(await quote.json()).toMatchObject({ total: 41, needsQuote: false })
  await goWithin(page, `${orders}?show=all`)
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  await lookAt(page, 'yard-orders-none', 'light')
})

test('a yard pulls, confirms and ships a part, by keyboard', async ({ page }) => {
  const { person, parts } = await makeOnlineYard(page, 2, { stocknum: 'A-117' })
  const { number } = await buy(page, parts[0]?.partslug ?? '', { vin: '4T1BF1FK5CU123456' })
  const other = await buy(page, parts[1]?.partslug ?? '')
  await signIn(page, person)
  await page.goto(orders)
  await findRow(page, other.number, 'Find the part')
  await findRow(page, number, 'Find the part')
  await expect(
    page.getByRole('navigation', { name: 'Seller' }).getByRole('link', { name: /^Orders 2 to do/ }),
  ).toBeVisible()
  await lookAt(page, 'yard-orders')

  await page.getByRole('link', { name: 'Pull list' }).click()
  await expect(page.getByRole('row')).toHaveCount(3)
  await lookAt(page, 'pull-list')
  // A dark screen is dark on white on paper.
  const heading = page.getByRole('heading', { level: 1 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const onScreen = await heading.evaluate((element) => getComputedStyle(element).color)
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  await expect(heading).not.toHaveCSS('color', onScreen)
  await page.emulateMedia({ colorScheme: 'light', media: 'screen' })
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Orders' }).click()

  await expect(page.getByRole('listitem').filter({ hasText: number })).toBeVisible()
  const link = page.getByRole('link', { name: parts[0]?.partname ?? '' })
  for (let press = 0; press < 2 && !(await link.evaluate((one) => one === document.activeElement)); press++) {
    await page.keyboard.press('j')
  }
  await expect(link).toBeFocused()
  await page.keyboard.press('c')
  const confirming = page.getByRole('dialog', { name: 'Found it?' })
  await confirming.getByRole('checkbox', { name: /VIN 4T1BF1FK5CU123456/ }).check()
  await lookAt(page, 'confirm-part', 'light')
  await confirming.getByRole('button', { name: 'Confirm part' }).click()
  const row = page.getByRole('listitem').filter({ hasText: number })
  await expect(row).toContainText('Ship it')

  await link.focus()
  await page.keyboard.press('s')
  const shipping = page.getByRole('dialog', { name: 'Ship the part' })
  await expect(shipping).toContainText('12 Elm St')
  await shipping.getByLabel('Carrier').selectOption('UPS')
  await shipping.getByLabel(/^Tracking number/).fill('1Z999AA10123456784')
  await lookAt(page, 'ship-part')
  await shipping.getByLabel(/^Tracking number/).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Order shipped' })).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Orders by what is to do' })
    .getByRole('link', { name: /^Open/ })
    .click()
  await expect(row).toContainText('Shipped')
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: `Order ${number}` })).toBeVisible()
  await expect(page.getByRole('link', { name: /1Z999AA10123456784/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Ruth Amador' })).toContainText('you said it fits')
  await lookAt(page, 'yard-order')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Packing slip' }).click()
  expect((await download).suggestedFilename()).toBe(`packing-slip-${number}.pdf`)
})

test('a yard fills in its list of orders to ship, and one file ships them', async ({ page }) => {
  const { person, parts } = await makeOnlineYard(page, 2)
  const bought = [
    await buy(page, parts[0]?.partslug ?? ''),
    await buy(page, parts[1]?.partslug ?? ''),
  ] as const
  await signIn(page, person)
  await page.goto(orders)
  for (const { number } of bought) {
    const row = await findRow(page, number, 'Find the part')
    await row.getByRole('button', { name: /^Found it/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm part' }).click()
    await expect(row).toContainText('Ship it')
  }

  await page.getByRole('link', { name: 'Ship by file' }).click()
  await lookAt(page, 'ship-by-file', 'light')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Orders to ship, CSV' }).click()
  const list = await readFile(await (await download).path(), 'utf8')
  const filled = list.replace(/,,\r\n$/, ',UPS,1Z999AA10123456784\r\n')
  expect(filled).not.toBe(list)
  const file = (content: string) => ({
    name: 'shipped.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(content),
  })
  await page.locator('input[type=file]').setInputFiles(file(filled))
  await expect(page.getByText('1 order will be shipped. 1 row is not filled in.')).toBeVisible()
  await lookAt(page, 'ship-by-file-checked')
  await page.getByRole('button', { name: 'Mark 1 order as shipped' }).click()
  await expect(page.getByRole('heading', { name: '1 order marked as shipped' })).toBeVisible()

  // The same file again changes nothing.
  await page.getByRole('button', { name: 'Upload another file' }).click()
  await page.locator('input[type=file]').setInputFiles(file(filled))
  await expect(page.getByText('1 row changes nothing. 1 row is not filled in.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Nothing to ship' })).toBeDisabled()
})

test('a part that is not found costs the buyer nothing; it turns up and is for sale again', async ({
  page,
}) => {
  const { person, parts } = await makeOnlineYard(page, 1)
  const slug = parts[0]?.partslug ?? ''
  const { number } = await buy(page, slug)
  await signIn(page, person)
  await page.goto(orders)
  const row = await findRow(page, number, 'Find the part')
  await row.getByRole('button', { name: `Not found, order ${number}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Part not found?' })
  await expect(dialog).toContainText('Ruth pays nothing')
  await dialog.getByLabel('Common reasons').selectOption('Not on the shelf')
  await lookAt(page, 'part-not-found', 'light')
  await dialog.getByRole('button', { name: 'Not found' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing to do' })).toBeVisible()
  const quoteStatus = async () => (await page.request.get(`/api/parts/${slug}/quote`)).status()
  expect(await quoteStatus()).not.toBe(200)

  await page.getByRole('link', { name: 'See all orders' }).click()
  await row.getByRole('link').first().click()
  await expect(page.getByText(/You could not find the part/).first()).toBeVisible()
  await page.getByRole('button', { name: /^It turned up/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Back on sale' })).toBeVisible()
  await expect.poll(quoteStatus).toBe(200)
})

test('freight is quoted, paid and shipped; then a line is refunded', async ({ page }) => {
  const { person, parts } = await makeOnlineYard(page, 1, { partshipping: '', partprice: '900' })
  const bought = await buy(page, parts[0]?.partslug ?? '')
  await signIn(page, person)
  await page.goto(orders)
  const row = await findRow(page, bought.number, 'Name the shipping price')
  await row.getByRole('button', { name: /^Name price/ }).click()
  const price = page.getByRole('dialog', { name: 'Name the shipping price' })
  await price.getByRole('button', { name: 'Send price' }).click()
  await expect(price.getByLabel('Shipping')).toBeFocused()
  await price.getByLabel('Shipping').fill('180.50')
  await lookAt(page, 'name-price')
  await price.getByRole('button', { name: 'Send price' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing to do' })).toBeVisible()
  await payQuoted(page, bought, 1080.5)
  await findRow(page, bought.number, 'Find the part')
  await row.getByRole('button', { name: /^Found it/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm part' }).click()
  await expect(row).toContainText('Ship it')
  await row.getByRole('button', { name: /^Ship/ }).click()
  const shipping = page.getByRole('dialog', { name: 'Ship the part' })
  await shipping.getByLabel('Carrier').selectOption('Freight')
  await shipping.getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Order shipped' })).toBeVisible()

  await goWithin(page, `${orders}/${bought.id}`)
  await page.getByRole('button', { name: /^Refund/ }).click()
  const refunding = page.getByRole('dialog', { name: `Refund order ${bought.number}` })
  await refunding.getByRole('checkbox', { name: 'Part' }).uncheck()
  await refunding.getByLabel('Shipping, dollars to refund').fill('80.50')
  await refunding.getByRole('button', { name: 'Refund $80.50' }).click()
  await expect(refunding.getByText('Reason is required')).toBeVisible()
  await refunding.getByLabel('Reason').fill('It went by a cheaper truck')
  await lookAt(page, 'refund-order')
  await refunding.getByRole('button', { name: 'Refund $80.50' }).click()
  const refunds = page.getByRole('list', { name: 'Refunds' })
  await expect(refunds).toContainText('$80.50')
  await expect(async () => {
    await page.reload()
    await expect(refunds).toContainText('$80.50, refunded', { timeout: 2_000 })
  }).toPass()
})

test('a pickup is made ready and handed over to who has the code', async ({ page }) => {
  const { person, parts } = await makeOnlineYard(page, 1, {}, 'instant')
  const bought = await buy(page, parts[0]?.partslug ?? '', { delivery: 'pickup' })
  await signIn(page, person)
  await page.goto(orders)
  const row = await findRow(page, bought.number, 'Get it ready for pickup')
  await row.getByRole('button', { name: /^Ready for pickup/ }).click()
  await expect(row).toContainText('Hand it over')
  await row.getByRole('button', { name: /^Hand over/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over the part' })
  const code = await pickupCodeOf(page, bought)
  await dialog.getByLabel('Pickup code').fill(code === '000000' ? '111111' : '000000')
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await expect(dialog.getByText(/4 tries left/)).toBeVisible()
  await expect(dialog.getByLabel('Pickup code')).toBeFocused()
  await dialog.getByLabel('Pickup code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await lookAt(page, 'hand-over', 'light')
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing to do' })).toBeVisible()
})

test('an administrator finds an order, holds it and lets it go on; the yard waits meanwhile', async ({
  page,
  browser,
  baseURL,
}) => {
  const { person, parts } = await makeOnlineYard(page, 1)
  const bought = await buy(page, parts[0]?.partslug ?? '')
  await signIn(page, person)
  await page.goto(orders)
  const row = await findRow(page, bought.number, 'Find the part')

  const office = await (await browser.newContext({ ...(baseURL && { baseURL }), locale: 'en-US' })).newPage()
  await signInAsAdmin(office)
  await office.goto('/dashboard/admin/orders')
  await office.getByRole('searchbox', { name: 'Search' }).fill(bought.email)
  await office.getByRole('searchbox', { name: 'Search' }).press('Enter')
  await expect(office.getByText('1 order', { exact: true })).toBeVisible()
  await lookAt(office, 'manage-orders-found', 'both', 'stay')
  await office.getByRole('link', { name: bought.number }).click()
  await office.getByRole('button', { name: 'Hold order' }).click()
  const holding = office.getByRole('dialog', { name: `Hold order ${bought.number}` })
  await holding.getByLabel('Reason').fill('The card was reported')
  await holding.getByRole('button', { name: 'Hold order' }).click()
  await expect(office.getByText('The card was reported', { exact: true })).toBeVisible()
  await lookAt(office, 'manage-order', 'both', 'stay')

  await page.reload()
  await expect(row).toContainText('On hold')
  await expect(row.getByRole('button', { name: /^Found it/ })).toHaveCount(0)

  await office.goto('/dashboard/admin/orders')
  await expect(office.getByRole('region', { name: /^Needs attention/ })).toContainText(bought.number)
  await goWithin(office, `/dashboard/admin/orders/${bought.id}`)
  await office.getByRole('button', { name: 'Release order' }).click()
  await office.getByRole('dialog').getByRole('button', { name: 'Release order' }).click()
  await expect(office.getByRole('button', { name: 'Hold order' })).toBeVisible()
  await expect(
    office.getByText('An administrator put the order on hold: The card was reported.'),
  ).toBeVisible()
  await office.context().close()

  await page.reload()
  await row.getByRole('button', { name: /^Found it/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm part' }).click()
  await expect(row).toContainText('Ship it')
})
