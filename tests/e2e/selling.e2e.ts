import type { Page } from '@playwright/test'
import { choose, choosePicture, fillPart, fillQuickDetails } from '#tests/e2e/support/listing-form.ts'
import { demo, logIn, register, signIn, stranger } from '#tests/e2e/support/people.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

const paths = {
  withPicture: '/dashboard/seller/create-auto-part-listing',
  byText: '/dashboard/seller/create-data-table-listing',
  mine: '/dashboard/seller/my-quick-listings',
}

/** The seller leaves the form before it resets, 2 s after sending, however slow this machine is. */
const withoutStartingAfresh = (page: Page) =>
  page.evaluate(() => {
    const { setTimeout } = window
    window.setTimeout = ((then: () => void, ms?: number) =>
      ms === 2000 ? 0 : setTimeout(then, ms)) as typeof setTimeout
  })

/** The number of listing drafts with a picture in this browser. */
const keptPictures = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const open = indexedDB.open('listingDrafts')
        open.onsuccess = () => {
          const counting = open.result.transaction('pictures').objectStore('pictures').count()
          counting.onsuccess = () => resolve(counting.result)
          open.result.close()
        }
      }),
  )

test('a visitor registers, lists a part with a picture, finds it, edits it, deletes it, and undoes the deletion', async ({
  page,
}) => {
  const person = stranger()
  await page.goto('/')
  await expect(page).toHaveTitle(/PartHarbor$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Worlds #1 Marketplace For Auto Parts')
  await page.getByRole('link', { name: 'Become a Seller (Free Version)' }).click()
  await expect(page).toHaveURL(/\/register/)
  const submit = page.getByRole('button', { name: 'Register', exact: true })
  await expect(submit).toBeDisabled()
  await page.getByLabel('Name', { exact: true }).fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await submit.click()
  await expect(page).toHaveURL(/\/onboarding/)

  await goWithin(page, paths.withPicture)
  const form = page.getByRole('form', { name: 'E-commerce listing' })
  await fillPart(form, { title: 'Alternator 130A', partNumber: '27060-0V210', price: '129.95' })
  await choose(form, 'Year', '2014')
  await form.locator('[name=partmodel]').fill('Camry')
  await form.locator('[name=partshipping]').fill('Flat $20')
  await form.locator('[name=partshipping]').press('Escape')
  await choosePicture(page)
  await withoutStartingAfresh(page)
  await form
    .getByRole('button', { name: /create listing|save listing|list/i })
    .last()
    .click()
  const done = page.getByRole('status').filter({ hasText: 'Listing created' })
  await expect(done).toContainText('2014 Toyota Camry Alternator 130A')
  // A sent listing is not a draft of the next one.
  await done.getByRole('link', { name: 'My Listings' }).click()
  await expect(page.getByText('1 product(s) found').first()).toBeVisible()
  await expect.poll(() => keptPictures(page)).toBe(0)

  await goWithin(page, `${paths.mine}?q=270600v210`)
  await expect(page.getByText('1 product(s) found').first()).toBeVisible()
  const card = page.getByRole('article').filter({ hasText: 'Alternator 130A' })
  await expect(card).toContainText('$129.95')
  await expect(card).toContainText('27060-0V210')

  await card.getByRole('link', { name: /update/i }).click()
  await expect(page.getByRole('navigation', { name: /breadcrumb/i })).toContainText('Manage Current Listing')
  await page.locator('[name=partprice]').fill('119.95')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Listing updated')).toBeVisible()
  // Back in the list in its previous state.
  await expect(page).toHaveURL(new RegExp(`${paths.mine}\\?q=270600v210$`))
  await expect(card).toContainText('$119.95')

  await card.getByRole('button', { name: /delete/i }).click()
  const question = page.getByRole('dialog', { name: 'Delete this product listing?' })
  await question.getByRole('button', { name: 'Delete listing' }).click()
  await expect(page.getByText('Product deleted')).toBeVisible()
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card).toContainText('$119.95')
})

test('typed text survives a reload; an edit that is too late, or after the session ended, keeps it', async ({
  page,
}) => {
  const person = await register(page)
  const { token: first } = await signIn(page, person)
  await page.goto(paths.byText)
  await page.locator('[name=partname]').fill('Half a listing')
  await expect(page.getByText(/draft saved/i)).toBeVisible()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.locator('[name=partname]')).toHaveValue('Half a listing')
  const form = page.getByRole('form', { name: 'Quick listing' })
  await fillPart(form, { title: 'Starter', partNumber: '28100-0V010', price: '60' })
  await fillQuickDetails(form)
  await form
    .getByRole('button', { name: /create listing|save listing|list/i })
    .last()
    .click()
  await expect(page.getByRole('link', { name: 'View listing' })).toBeVisible()
  await goWithin(page, paths.mine)
  await page
    .getByRole('article')
    .getByRole('link', { name: /update/i })
    .click()
  await expect(page.locator('[name=partprice]')).toHaveValue(/60/)

  const edit = page.url()
  await page.locator('[name=partdamage]').fill('Scratched')
  await page.request.post('/api/logout', { headers: { authorization: `Bearer ${first}` } })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/redirecting you to login/i)).toBeVisible()
  const { token } = await signIn(page, person)
  await page.goto(edit)
  const offer = page.getByRole('status').filter({ hasText: 'You have unsaved changes' })
  await expect(offer).toContainText('Damage: changed ')
  await expect(page.locator('[name=partdamage]')).toHaveValue('None')
  await offer.getByRole('button', { name: 'Restore my changes' }).click()
  await expect(page.locator('[name=partdamage]')).toHaveValue('Scratched')
  await expect(offer).toHaveCount(0)

  const headers = { authorization: `Bearer ${token}` }
  const own = await (await page.request.get('/api/seller/parts', { headers })).json()
  const url = `/api/seller/parts/${own.items[0].id}`
  const admin = await logIn(page, demo.admin)
  await page.request.put(`/api/auto-parts/${own.items[0].id}`, {
    headers: { authorization: `Bearer ${admin.token}` },
    data: { partprice: '55', zipcode: '74104' },
  })
  await page.locator('[name=partprice]').fill('70')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'This listing was changed since you opened it' })
  await expect(notice).toBeFocused()
  // Sellers do not see by whom.
  await expect(notice).toContainText(
    /It was changed by an administrator on .+\. Nothing was saved\. Your edits are still here\./,
  )
  await expect(page.locator('[name=partprice]')).toHaveValue('70')

  await page.getByRole('button', { name: /keep my changes/i }).click()
  const both = page.getByRole('alert').filter({ hasText: 'You both changed the same fields' })
  await expect(both.getByRole('listitem')).toHaveText(['Price: theirs 55.00, yours 70'])
  await expect(page.locator('[name=zipcode]')).toHaveValue('74104')
  await page.request.delete(url, { headers })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('This listing was deleted').first()).toBeVisible()
  await expect(page.locator('[name=partprice]')).toHaveValue('70')
})
