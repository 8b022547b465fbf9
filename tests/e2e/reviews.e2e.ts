import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { buy, makeOnlineYard } from '#tests/e2e/support/online-yard.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { callApi, signIn } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

// Payments and jobs take their time one after the other.
test.describe.configure({ timeout: 180_000 })

test('a buyer reviews the yard, the yard answers and reports, and an administrator decides', async ({
  page,
}) => {
  const { person, token, parts } = await makeOnlineYard(page, 1, {}, 'instant')
  const bought = await buy(page, parts[0]?.partslug ?? '')
  await expect(async () => {
    const path = `/seller/orders/${bought.id}/ship`
    await callApi(page, token, path, { carrier: 'ups', tracking: '1Z999' })
  }).toPass({ timeout: 30_000 })
  expect((await page.request.post('/api/orders/received', { data: { token: bought.token } })).ok()).toBe(true)

  await page.goto(`/orders#${bought.token}`)
  const form = page.getByRole('group', { name: /^How was / })
  await expect(form).toBeVisible()
  await page.getByRole('button', { name: 'Send review' }).click()
  await expect(page.getByRole('alert')).toContainText('Choose 1 to 5 stars')
  await form.getByRole('radio', { name: '4 of 5 stars, Good' }).check()
  await page.getByLabel('In your words (optional)').fill('As described. The box was a little soft.')
  await lookAt(page, 'review-form')
  await page.getByRole('button', { name: 'Send review' }).click()
  const mine = page.getByRole('region', { name: 'Your review' })
  await expect(mine).toContainText('4 of 5 stars')
  await expect(mine).toContainText('without your name')
  await page.getByText('Change your review').click()
  await page.getByRole('radio', { name: '5 of 5 stars, Great' }).check()
  await page.getByRole('button', { name: 'Save review' }).click()
  await expect(mine).toContainText('5 of 5 stars')

  await signIn(page, person)
  await page.goto('/dashboard/seller/customer-reviews')
  const review = page.getByRole('region', { name: '5 of 5 stars' })
  await expect(review).toContainText('The box was a little soft.')
  await expect(review).toContainText('Not published yet')
  await review.getByRole('button', { name: `Answer, review of ${bought.number}` }).click()
  const answering = page.getByRole('dialog', { name: 'Answer this review' })
  await answering.getByRole('button', { name: 'Save answer' }).click()
  await expect(answering).toContainText('Answer is required')
  await answering.getByLabel('Your answer').fill('Thank you. We use harder boxes now.')
  await answering.getByRole('button', { name: 'Save answer' }).click()
  await expect(review).toContainText('We use harder boxes now.')
  await lookAt(page, 'customer-reviews')
  await review.getByRole('button', { name: `Report, review of ${bought.number}` }).click()
  const reporting = page.getByRole('dialog', { name: 'Report this review' })
  await reporting.getByLabel('What’s wrong with it?').selectOption({ label: 'Not about the order' })
  await reporting.getByRole('button', { name: 'Send report' }).click()
  await expect(review).toContainText('Reported')

  await goWithin(page, '/dashboard/seller/orders/statements')
  await expect(page.getByRole('button', { name: /^PDF, / })).toBeVisible()
  await lookAt(page, 'statements')
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^PDF, / }).click(),
  ])
  expect(pdf.suggestedFilename()).toMatch(/^statement-\d{4}-\d\d\.pdf$/)

  await signInAsAdmin(page)
  await page.goto('/dashboard/admin/reports?state=reviews')
  const reported = page.getByRole('region', { name: /^5 of 5 stars for / }).filter({ hasText: bought.number })
  await expect(reported).toContainText('Not about the order')
  await lookAt(page, 'reported-reviews')
  await reported.getByRole('button', { name: 'Hide review' }).click()
  const hiding = page.getByRole('dialog', { name: 'Hide this review?' })
  await hiding.getByLabel('Reason').fill('It is about another order.')
  await hiding.getByRole('button', { name: 'Hide review' }).click()
  await expect(page.getByRole('button', { name: 'Restore review' })).toBeVisible()
  await goWithin(page, '/dashboard/admin/orders')
  await expect(page.getByRole('region', { name: 'Books' })).toBeVisible()
  await lookAt(page, 'manage-orders-books')

  await page.goto(`/orders#${bought.token}`)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Your review' })).toContainText('It is about another order.')
})

test('without selling online there are no reviews to come', async ({ page }) => {
  const { person } = await makeParts(page, 1)
  await signIn(page, person)
  await page.goto('/dashboard/seller/customer-reviews')
  await expect(page.getByRole('heading', { name: 'Coming soon' })).toBeVisible()
  await expect(page.getByText('Read and answer reviews of your parts.')).toBeVisible()
})
