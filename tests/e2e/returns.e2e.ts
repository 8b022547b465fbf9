import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { ageShipment } from '#tests/e2e/support/aged-order.ts'
import { type Bought, buy, makeOnlineYard } from '#tests/e2e/support/online-yard.ts'
import type { PartsOfASeller } from '#tests/e2e/support/parts-of-a-seller.ts'
import { signIn } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, test } from '#tests/e2e/support/story.ts'
import { photo } from '#tests/support/image-fixtures.ts'

// Payments, jobs and mails take their time one after the other.
test.describe.configure({ timeout: 150_000 })

type Shipped = PartsOfASeller & { bought: Bought }

/** A part that is on its way to Ruth. */
async function shipPart(page: Page, changes: object = {}): Promise<Shipped> {
  const yard = await makeOnlineYard(page, 1, changes)
  const bought = await buy(page, yard.parts[0]?.partslug ?? '')
  const post = (path: string, data: object) =>
    page.request.post(`/api/seller/orders/${bought.id}/${path}`, {
      headers: { authorization: `Bearer ${yard.token}` },
      data,
    })
  await expect(async () => expect((await post('confirm', {})).ok()).toBe(true)).toPass({ timeout: 30_000 })
  await expect(async () =>
    expect((await post('ship', { carrier: 'ups', tracking: '1Z' })).ok()).toBe(true),
  ).toPass({ timeout: 30_000 })
  return { ...yard, bought }
}

async function deliverPart(page: Page, changes: object = {}): Promise<Shipped> {
  const shipped = await shipPart(page, changes)
  const reply = await page.request.post('/api/orders/received', { data: { token: shipped.bought.token } })
  expect(reply.ok(), await reply.text()).toBe(true)
  return shipped
}

async function openAsBuyer(page: Page, { token, number }: Bought): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`/orders#${token}`)
  await expect(page.getByRole('heading', { level: 1, name: `Order ${number}` })).toBeVisible()
}

async function idOf(page: Page, { token }: Bought, kind: string): Promise<string | undefined> {
  const reply = await page.request.post('/api/orders/read', { data: { token } })
  const { returns } = (await reply.json()) as { returns: { id: string; kind: string }[] }
  return returns.find((one) => one.kind === kind)?.id
}

/** A card of the buyer's page or the yard's. */
const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

test('a buyer returns a part with a photo, and the yard puts it back on sale', async ({ page }) => {
  const { person, bought, parts } = await deliverPart(page, { returndays: '20', restockpct: '20' })
  const picture = join(await mkdtemp(join(tmpdir(), 'returns-')), 'bracket.jpg')
  await writeFile(picture, await photo({ orientation: 6 }))
  await openAsBuyer(page, bought)
  await page.getByText('Return it or report a problem').click()
  await page.getByLabel('What is the reason?').selectOption('I don’t need it anymore')
  await expect(page.getByRole('form', { name: 'Return or problem' })).toContainText('restocking fee')
  await page.getByLabel('What happened? (optional)').fill('Sold the car')
  await page.getByLabel('Photos (optional)').setInputFiles(picture)
  await expect(page.getByRole('list', { name: 'Added photos' })).toContainText('bracket.jpg')
  await lookAt(page, 'buyer-return-form')
  await page.getByRole('button', { name: 'Ask to return it' }).click()
  const asked = card(page, /^Return: I don’t need it/)
  await expect(asked).toContainText('Waiting for the yard')
  await expect(asked.getByRole('img', { name: 'Photo 1 of 1' })).toBeVisible()
  await lookAt(page, 'buyer-return')

  await signIn(page, person)
  await page.goto('/dashboard/seller/orders')
  const row = page.getByRole('listitem').filter({ hasText: bought.number })
  await expect(row).toContainText('Answer the return')
  await row.getByRole('link').first().click()
  const answering = card(page, 'Return: not needed anymore')
  await expect(answering.getByRole('img', { name: 'Photo 1 of 1' })).toBeVisible()
  await lookAt(page, 'yard-return')
  await answering.getByRole('button', { name: 'Approve' }).click()
  await page
    .getByRole('dialog', { name: 'Approve the return?' })
    .getByRole('button', { name: 'Approve' })
    .click()
  await expect(answering).toContainText('To be sent back')

  await openAsBuyer(page, bought)
  await asked.getByText('I sent it back').click()
  await asked.getByLabel('Carrier (optional)').selectOption('UPS')
  await asked.getByLabel('Tracking number (optional)').fill('1Z999AA10123456784')
  await lookAt(page, 'buyer-sends-back', 'light')
  await asked.getByRole('button', { name: 'It is on its way' }).click()
  await expect(asked).toContainText('On its way back')

  await page.goto(`/dashboard/seller/orders/${bought.id}`)
  await answering.getByRole('button', { name: 'It is back' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is the part back?' })
  await lookAt(page, 'yard-part-back', 'light')
  await dialog.getByRole('button', { name: /^Refund \$/ }).click()
  await expect(answering).toContainText('Refunded')
  await page.getByRole('button', { name: /^Back on sale/ }).click()
  await expect
    .poll(async () => (await page.request.get(`/api/parts/${parts[0]?.partslug}/quote`)).status())
    .toBe(200)
})

test('a part never arrives; the yard declines, the buyer asks us, and an administrator decides', async ({
  page,
}) => {
  const { token, bought } = await shipPart(page)
  await ageShipment(bought.id, 8)
  await openAsBuyer(page, bought)
  await page.getByText('Not yet: it hasn’t arrived').click()
  await lookAt(page, 'buyer-not-arrived', 'light')
  await page.getByRole('button', { name: 'Report the problem' }).click()
  const claim = card(page, 'Problem reported: It never arrived')
  await expect(claim).toContainText('Waiting for the yard')

  const returnId = await idOf(page, bought, 'claim')
  const reply = await page.request.post(`/api/seller/orders/${bought.id}/returns/${returnId}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { answer: 'decline', reason: 'UPS says it was left at the door' },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  await openAsBuyer(page, bought)
  await expect(claim).toContainText('left at the door')
  await lookAt(page, 'buyer-declined')
  await claim.getByRole('button', { name: 'Ask us to decide' }).click()
  await expect(claim).toContainText('Being decided')

  await signInAsAdmin(page)
  await page.goto('/dashboard/admin/orders')
  const waiting = page.getByRole('listitem').filter({ hasText: bought.number })
  await expect(waiting).toContainText('Decide: Claim: never arrived')
  await lookAt(page, 'orders-to-decide')
  await waiting.getByRole('link').first().click()
  await card(page, 'Claim: never arrived').getByRole('button', { name: 'Decide' }).click()
  const dialog = page.getByRole('dialog', { name: 'Claim: never arrived' })
  await dialog.getByLabel('Reason').fill('No signature, and the buyer has no earlier claim.')
  await lookAt(page, 'decide-claim')
  await dialog.getByRole('button', { name: 'Decide' }).click()
  await expect(card(page, 'Claim: never arrived')).toContainText('Refunded')
  await openAsBuyer(page, bought)
  await expect(page.getByRole('region', { name: 'What happens next' })).toContainText('All of your money', {
    timeout: 30_000,
  })
})

test('an old part comes back with its slip, and the yard scans it', async ({ page }) => {
  const { person, bought } = await deliverPart(page, { corecharge: '50', coredays: '20' })
  await openAsBuyer(page, bought)
  const core = card(page, 'Core charge')
  await expect(core).toContainText('Bring or send your old part')
  await lookAt(page, 'buyer-core')
  const download = page.waitForEvent('download')
  await core.getByRole('button', { name: 'Download core slip' }).click()
  expect((await download).suggestedFilename()).toBe(`core-slip-${bought.number}.pdf`)

  const id = await idOf(page, bought, 'core')
  await signIn(page, person)
  // What the code on the slip says.
  await page.goto(`/dashboard/seller/orders/${bought.id}?core=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Is the old part there?' })
  await lookAt(page, 'yard-core-scanned')
  await dialog.getByRole('button', { name: 'Refund $50.00' }).click()
  await expect(card(page, 'Core')).toContainText('Refunded')
})
