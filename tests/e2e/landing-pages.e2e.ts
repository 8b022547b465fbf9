import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { callApi } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, goWithin, hydrated, test } from '#tests/e2e/support/story.ts'

// Almost six hundred pages are made and linked, which takes a busy machine longer than a story.
test.describe.configure({ timeout: 180_000 })

test('pages are created and linked, a buyer follows their links, and an old address redirects to the new one', async ({
  page,
}) => {
  const { token } = await signInAsAdmin(page)
  const word = `zorp${randomBytes(4).toString('hex')}`
  const { id } = await callApi<{ id: string }>(page, token, '/category', { name: `Turn Signel ${word}` })
  await makeParts(page, 1, { partcategoryId: id })
  await test.step('pages are created and linked', async () => {
    await runScript(page, token, { queue: 'preprocess', scriptId: 'product-page-category' })
    // Pages come first; 5,000 listings would take most of the story.
    await linkPages(page, token, { limit: 700 })
    await page.goto('/parts/category/alternator')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Alternator')
    await expect(page).toHaveTitle(/alternator.* \| PartHarbor$/i)
    await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /alternator/i)
    await expect(page.getByText(/^[\d,]+ product\(s\) found$/)).toBeVisible()
    await hydrated(page)
    await lookAt(page, 'parts-of-a-category')
  })

  await test.step('a buyer follows links between pages', async () => {
    // Other stories are importing Toyota parts that are not linked yet.
    await page.getByRole('region', { name: 'By make' }).getByRole('link', { name: 'Nissan' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/ parts$/)
    await expect(page).toHaveURL(/\/parts\/make\//)
    await page.getByRole('region', { name: 'By model' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/\/parts\/make\/[^/]+\/[^/]+$/)
    const model = (await page.getByRole('heading', { level: 1 }).textContent())?.replace(/ parts$/, '')
    await page.getByRole('region', { name: 'By category' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/\/parts\/make\/[^/]+\/[^/]+\/[^/]+$/)
    // The page of the model, whose cards are of other part types, stays until this one has its data.
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/ parts$/)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(model ?? 'a model')

    const part = page.locator('article').first().getByRole('link').first()
    await linkPages(page, token, { target: (await part.getAttribute('href'))?.split('/').at(-1) })
    await part.click()
    const related = page.getByRole('navigation', { name: 'Related' })
    await expect(related.getByRole('link').first()).toBeVisible()
    await related.getByRole('link').first().click()
    await expect(page).toHaveURL(/\/parts\/(category|make)\//)
  })

  await test.step('a page’s old address redirects to the page of its new name', async () => {
    const path = (words: string) => `/parts/category/turn-${words}-${word}`
    const renamed = await page.request.put(`/api/admin/lookups/category/${id}`, {
      headers: { authorization: `Bearer ${token}` },
      data: { name: `Turn Signal ${word}` },
    })
    expect(renamed.ok(), await renamed.text()).toBe(true)
    // Within the app, then from the server. No visitor changes the address before hydration.
    await goWithin(page, `${path('signel')}?page=1`)
    await expect(page).toHaveURL(`${path('signal')}?page=1`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Turn Signal ${word}`)
    const answer = await page.request.get(path('signel'), { maxRedirects: 0 })
    expect([answer.status(), answer.headers().location]).toEqual([301, path('signal')])
  })
})

const linkPages = (page: Page, token: string, flags: object) =>
  runScript(page, token, { queue: 'internalLinking', scriptId: 'internal-linking', flags })

async function runScript(
  page: Page,
  token: string,
  { queue, scriptId, flags = {} }: { queue: string; scriptId: string; flags?: object },
): Promise<void> {
  const { jobId } = await callApi<{ jobId: string }>(page, token, '/admin/automation/jobs', {
    queue,
    payload: { scriptId, flags },
  })
  const headers = { authorization: `Bearer ${token}` }
  await expect
    .poll(
      async () =>
        (
          (await (await page.request.get(`/api/admin/automation/jobs/${jobId}`, { headers })).json()) as {
            status: string
          }
        ).status,
      { timeout: 90_000, intervals: [250] },
    )
    .toBe('completed')
}
