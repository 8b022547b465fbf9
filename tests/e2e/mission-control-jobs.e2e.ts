import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

// A worker that is busy with other stories is slow.
test.describe.configure({ timeout: 120_000 })
const SOON = { timeout: 40_000 }

const details = (page: Page) => page.getByRole('complementary', { name: 'Job Detail' })

async function enqueue(page: Page, queue: string, payload?: object): Promise<void> {
  await page.getByRole('button', { name: 'Enqueue Job', exact: true }).click()
  const form = page.getByRole('form', { name: 'Enqueue Job' })
  // It is a field of text until the queues are known.
  await form.getByRole('combobox', { name: /^Queue/ }).selectOption(queue)
  if (payload) await form.getByLabel('Payload JSON').fill(JSON.stringify(payload))
  await form.getByRole('button', { name: 'Enqueue job' }).click()
  await expect(page.getByText('Job enqueued').last()).toBeVisible()
}

test('jobs are enqueued, watched, rerun with changes, canceled, found by a shared address and retried', async ({
  page,
}) => {
  await signInAsAdmin(page)
  await test.step('a job is enqueued, watched to its end and rerun with another payload', async () => {
    await page.goto('/admin/mission-control')
    await expect(page.getByText('No job selected')).toBeVisible()
    await enqueue(page, 'ingest-autoparts')
    await expect(details(page).getByText('completed').first()).toBeVisible(SOON)

    await details(page).getByRole('button', { name: 'Run again' }).click()
    const again = page.getByRole('form', { name: 'Run again' })
    await again.getByLabel('Payload JSON').fill('{"perPage": ')
    await again.getByRole('button', { name: 'Run with changes' }).click()
    await expect(again.getByText('Invalid JSON in payload or options')).toBeVisible()
    await again
      .getByLabel('Payload JSON')
      .fill('{"perPage": 12, "maxPages": 1, "dataset": "marketplace:ecomm_autoparts"}')
    await again.getByRole('button', { name: 'Run with changes' }).click()
    await expect(details(page).getByText('Retry of')).toBeVisible(SOON)
    await expect(details(page).getByText('"perPage": 12')).toBeVisible()
  })
  await test.step('a job of a paused queue is canceled, found by a shared address, and retried with its whole filter', async () => {
    await page.getByRole('button', { name: /^Show \d+ internal queues/ }).click()
    await page.getByRole('button', { name: 'Pause tidy-database' }).click()
    await expect(page.getByText('tidy-database is paused', { exact: true })).toBeVisible()
    await enqueue(page, 'tidy-database', {})
    await details(page).getByRole('button', { name: 'Cancel job' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click()
    await expect(details(page).getByText('cancelled').first()).toBeVisible(SOON)
    await page.getByRole('button', { name: 'Resume tidy-database' }).click()
    await expect(page.getByRole('button', { name: 'Pause tidy-database' })).toBeVisible(SOON)

    await page.getByRole('button', { name: 'Close job detail' }).click()
    await page.getByRole('textbox', { name: 'Queues' }).fill('tidy-database')
    await page.getByLabel('Statuses').fill('cancelled')
    await expect(page).toHaveURL(/queue=tidy-database&status=cancelled/)
    await page.reload()
    await expect(page.getByLabel('Statuses')).toHaveValue('cancelled')
    const rows = page.getByRole('region', { name: 'Jobs', exact: true }).getByRole('row')
    await expect(rows).toHaveCount(2)
    // The queues come later and push the jobs down, away from the pointer.
    await expect(page.getByRole('button', { name: 'Pause ingest-autoparts' })).toBeVisible(SOON)

    await page.getByRole('button', { name: 'Retry all…' }).click()
    const question = page.getByRole('dialog', { name: 'Retry 1 job?' })
    await expect(question).toContainText('Among jobs with status cancelled of tidy-database')
    await question.getByRole('button', { name: 'Retry 1 job' }).click()
    await expect(details(page).getByText('bulk-jobs')).toBeVisible()
    await expect(details(page).getByText('completed').first()).toBeVisible(SOON)
  })
})
