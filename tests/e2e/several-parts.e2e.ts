import type { Page } from '@playwright/test'
import { signIn, stranger } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { makeSellingYard } from '#tests/e2e/support/selling-yard.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

// Payments, jobs and mails take their time one after the other.
test.describe.configure({ timeout: 150_000 })

/** Adds a part to the cart on its page. */
async function addPart(page: Page, slug: string, others: number): Promise<void> {
  await page.goto(`/parts/${slug}`)
  await page.getByRole('button', { name: others === 0 ? 'Add to cart' : /^Add to cart with/ }).click()
  await expect(
    page.getByRole('link', { name: `In your cart, ${others + 1} part${others ? 's' : ''}` }),
  ).toBeVisible()
}

async function fillIn(page: Page): Promise<void> {
  const buyer = stranger('Maria Lopez')
  await page.getByLabel('Street address').fill('12 Elm St')
  await page.getByLabel('City').fill('Tulsa')
  await page.getByLabel('State', { exact: true }).selectOption('Oklahoma')
  await page.getByLabel('ZIP code').fill('74103')
  await page.getByLabel('Name', { exact: true }).fill(buyer.name)
  await page.getByLabel('Email').fill(buyer.email)
}

test.describe('by phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a guest buys two parts of a yard, of which one is not found, and pays for the other', async ({
    page,
    browser,
  }) => {
    const { parts, person } = await makeSellingYard(page, { count: 2 })
    const [first, second] = parts
    await addPart(page, first?.partslug ?? '', 0)
    await lookAt(page, 'part-in-own-cart', 'light', 'stay')
    await page.setViewportSize({ width: 390, height: 844 })
    await addPart(page, second?.partslug ?? '', 1)
    await page.getByRole('link', { name: 'In your cart, 2 parts' }).click()

    await expect(page.getByRole('heading', { level: 1, name: 'Your cart' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Total $240.00' })).toBeVisible()
    await fillIn(page)
    await expect(page.getByRole('radio', { name: /^Send the rest/ })).toBeChecked()
    await lookAt(page, 'cart', 'both', 'stay')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByRole('button', { name: /^(Pay|Authorize) \$240\.00$/ }).click()
    await expect(page.getByText('Waiting for the yard')).toBeVisible({ timeout: 30_000 })
    const state = page.getByRole('region', { name: 'What happens next' }).getByRole('status')
    await expect(state).toContainText('If a part is missing, you get the others and do not pay for it.')
    await lookAt(page, 'order-of-parts', 'light', 'stay')

    const yard = await browser.newPage()
    await signIn(yard, person)
    await yard.goto('/dashboard/seller/orders')
    await yard.getByRole('button', { name: /^Found it, order/ }).click()
    const dialog = yard.getByRole('dialog', { name: 'Found them?' })
    await dialog.getByRole('checkbox', { name: second?.partname ?? '' }).uncheck()
    await expect(dialog.getByRole('group', { name: '1 of 2 found' })).toBeVisible()
    await lookAt(yard, 'confirm-parts', 'both', 'stay')
    await dialog.getByRole('button', { name: 'Confirm 1 of 2' }).click()
    await expect(yard.getByRole('status').filter({ hasText: 'Parts confirmed' })).toBeVisible()
    await yard.close()

    await page.reload()
    await expect(page.getByText('Confirmed', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(/^Paid: /)).toContainText('$120.00')
    await expect(state).toContainText(`Not found:`)
    await lookAt(page, 'order-of-found-parts', 'both', 'stay')
    await page.goto(`/parts/${second?.partslug}`)
    await expect(page.getByRole('link', { name: 'Buy', exact: true })).toHaveCount(0)
    await page.goto('/cart')
    await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
  })
})

test('a part of the cart that somebody else holds is named and removed, and the others are bought', async ({
  page,
}) => {
  const { parts } = await makeSellingYard(page, { count: 2, mode: 'instant' })
  const [first, second] = parts
  await addPart(page, first?.partslug ?? '', 0)
  await addPart(page, second?.partslug ?? '', 1)
  const other = stranger('Tom Held')
  const data = { email: other.email, name: other.name, delivery: 'pickup', expectedTotal: 100 }
  const held = await page.request.post(`/api/parts/${second?.partslug}/orders`, { data })
  expect(held.status(), await held.text()).toBe(201)
  await page.getByRole('link', { name: 'In your cart, 2 parts' }).click()
  const cart = page.getByRole('region', { name: 'Parts in your cart' })
  await expect(cart.getByRole('alert')).toContainText('Another buyer has this part right now')
  await lookAt(page, 'cart-taken')
  await cart.getByRole('button', { name: `Remove` }).last().click()
  await expect(page.getByRole('row', { name: 'Total $120.00' })).toBeVisible()
  await fillIn(page)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('button', { name: /^Pay \$120\.00$/ }).click()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible({ timeout: 30_000 })
})
