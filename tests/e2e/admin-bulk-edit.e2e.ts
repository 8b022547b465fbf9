import type { Locator, Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { cellOf, openBulkEdit, paste, writeCell } from '#tests/e2e/support/bulk-edit.ts'
import { makeParts, type PartsOfASeller } from '#tests/e2e/support/parts-of-a-seller.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

test('cells are pasted, corrected, saved and undone; a reload keeps unsaved cells; a seller saves the same; everything works by keyboard', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await signInAsAdmin(page)
  const stock = await makeParts(page, 20)
  const { word } = stock
  const grid = await openBulkEdit(page, word, 20)
  await test.step('a block of 20 × 5 cells with two bad ones is pasted, corrected and saved, and the save is undone', async () => {
    const before = await cellOf(grid, 3, 'Name').textContent()
    const block = Array.from({ length: 20 }, (_, row) => [
      `Starter ${word}, pasted ${row + 1}`,
      row === 4 ? 'call us' : `$1,${200 + row}.5`,
      row === 16 ? 'Z' : 'a',
      `P-${word}-${row + 1}`,
      'Riverside Auto Parts',
    ])
    await cellOf(grid, 1, 'Name').click()
    await paste(grid, block)

    await expect(page.getByText('Unsaved changes: 20')).toBeVisible()
    await expect(cellOf(grid, 1, 'Price')).toHaveText('1200.50')
    await expect(page.getByRole('button', { name: 'Only rows with errors (2)' })).toBeVisible()
    const badPrice = cellOf(grid, 5, 'Price')
    const badGrade = cellOf(grid, 17, 'Grade')
    await page.getByRole('button', { name: 'Next error' }).click()
    await expect(badPrice).toHaveAttribute('aria-invalid', 'true')
    await expect(badPrice).toHaveAccessibleDescription(/^Enter a price like 129.95/)
    await expect(badPrice).toHaveAttribute('aria-selected', 'true')
    await grid.focus()
    await page.keyboard.type('99')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Next error' }).click()
    await expect(badGrade).toHaveAttribute('aria-selected', 'true')
    await writeCell(grid, 17, 'Grade', 'C')
    await expect(page.getByRole('button', { name: 'Next error' })).toBeDisabled()

    // As after a crash: unsaved cells are kept on this device.
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await expect(page.getByText('Unsaved changes restored')).toBeVisible()
    await expect(page.getByText('Unsaved changes: 20')).toBeVisible()
    await expect(grid.getByText(`Starter ${word}, pasted 3`)).toBeVisible()
    await expect(grid.getByText('1202.50')).toBeVisible()

    await page.getByRole('button', { name: 'Save 20 change(s)' }).click()
    await expect(page.getByText('Updated 20 item(s)')).toBeVisible()
    await expect(page.getByText('No pending changes')).toBeVisible()
    await expect(cellOf(grid, 3, 'Name')).toContainText('pasted')
    await page.getByRole('button', { name: 'Undo this save' }).first().click()
    await page.getByRole('button', { name: /^Undo \d+ item\(s\)$/ }).click()
    await expect(page.getByText('Save undone: 20 items restored.')).toBeVisible()
    await expect(cellOf(grid, 3, 'Name')).toHaveText(before ?? '')
  })
  await test.step('a seller saves the same rows: different cells merge, and a person resolves the same cell', () =>
    editBesideSeller(page, grid, stock))
  await test.step('every step of a bulk edit works with the keyboard alone', async () => {
    const { keyboard } = page
    await page.getByRole('button', { name: 'Keyboard shortcuts (?)' }).focus()
    await keyboard.press('Tab')
    await expect(grid).toBeFocused()
    await keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(sheet).toContainText('Next or previous error')
    await keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(grid).toBeFocused()

    await keyboard.press('Control+Home')
    for (let step = 0; step < 4; step++) await keyboard.press('ArrowRight')
    await keyboard.type('10')
    await keyboard.press('Enter')
    await keyboard.press('ArrowUp')
    await keyboard.press('Shift+Control+ArrowDown')
    await keyboard.press('Control+d')
    await expect(cellOf(grid, 4, 'Price')).toHaveText('10.00')
    await keyboard.press('F2')
    await keyboard.type('*1.1')
    await keyboard.press('Control+Enter')
    await expect(cellOf(grid, 1, 'Price')).toHaveText('11.00')
    await expect(cellOf(grid, 4, 'Price')).toHaveText('11.00')
    await keyboard.press('Control+z')
    await expect(cellOf(grid, 4, 'Price')).toHaveText('10.00')
    await keyboard.press('Control+y')
    await expect(cellOf(grid, 4, 'Price')).toHaveText('11.00')
    await keyboard.press('Control+Home')
    await keyboard.press('End')
    await keyboard.press('Enter')
    const more = page.getByRole('group', { name: /^More of 2012 Toyota Camry Starter/ })
    await expect(more.getByLabel('Product Description')).toBeFocused()
    await keyboard.press('Control+a')
    await keyboard.type('Rebuilt, tested.')
    await keyboard.press('Escape')
    await expect(grid).toBeFocused()
    await expect(page.getByText('Unsaved changes: 20')).toBeVisible()
    await keyboard.press('Control+s')
    await expect(page.getByText('Updated 20 item(s)')).toBeVisible()
    await expect(page.getByText('No pending changes')).toBeVisible()
    // A cell still being edited is saved too.
    await keyboard.press('Enter')
    await expect(more.getByLabel('Product Description')).toBeFocused()
    await keyboard.press('Control+a')
    await keyboard.type('Rebuilt and tested.')
    await keyboard.press('Control+s')
    await expect(page.getByText('Updated 1 item(s)')).toBeVisible()
    await expect(page.getByText('No pending changes')).toBeVisible()
    await grid.focus()
    await keyboard.press('Escape')
    await keyboard.press('Tab')
    await expect(grid).not.toBeFocused()
  })
})

async function editBesideSeller(page: Page, grid: Locator, { token, parts }: PartsOfASeller): Promise<void> {
  const names = [await cellOf(grid, 1, 'Name').textContent(), await cellOf(grid, 2, 'Name').textContent()]
  const rows = names.map((name) => parts.find(({ partname }) => partname === name))
  for (const [at, part] of rows.entries()) {
    const reply = await page.request.put(`/api/seller/parts/${part?.id}`, {
      headers: { authorization: `Bearer ${token}` },
      data: { partprice: `${61 + at}` },
    })
    expect(reply.status(), await reply.text()).toBe(200)
  }
  await writeCell(grid, 1, 'Grade', 'D')
  await writeCell(grid, 2, 'Price', '99')
  await page.getByRole('button', { name: 'Save 2 change(s)' }).click()
  await expect(page.getByText('Updated 1 item(s)')).toBeVisible()
  await expect(cellOf(grid, 1, 'Name')).toHaveText(names[1] ?? '')
  await expect(cellOf(grid, 2, 'Price')).toHaveText('61.00')
  await expect(cellOf(grid, 2, 'Grade')).toHaveText('D')

  await page.getByRole('button', { name: 'Resolve 1 conflict(s)' }).click()
  const choice = page.getByRole('dialog', { name: 'Also changed by someone else' })
  await expect(choice).toContainText(/It was \d\d\.00 when you started\./)
  await expect(choice.getByRole('radio', { name: 'Take theirs: 62.00' })).not.toBeChecked()
  const decide = choice.getByRole('button', { name: 'Use these values' })
  await expect(decide).toBeDisabled()
  await choice.getByRole('radio', { name: 'Keep mine: 99.00' }).check()
  await decide.click()
  await page.getByRole('button', { name: 'Save 1 change(s)' }).click()
  await expect(page.getByText('1 item(s) saved.', { exact: true })).toBeVisible()
  await expect(page.getByText('No pending changes')).toBeVisible()
  await expect(grid.getByText('99.00')).toBeVisible()
}
