import { screen, waitFor, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeWorkbook } from '#tests/support/make-workbook.ts'
import { openApp } from './support/app.tsx'
import { proSeller } from './support/fake-server.ts'

/* What a seller can choose about a file whose parts are not found, or are in one of several places. */

async function openUpload() {
  const app = await openApp('/dashboard/seller/create-bulk-auto-part-listing?tab=upload', {
    as: proSeller(),
    server: {
      listMappings: { mine: [], global: [] },
      listImports: { items: [], total: 0, page: 1, perPage: 10 },
    },
  })
  await screen.findByRole('tab', { selected: true })
  return app
}

async function chooseFile(user: UserEvent, name: string, content: BlobPart): Promise<void> {
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  await user.upload(input, new File([content], name, { lastModified: 1_700_000_000_000 }))
}

const rows = Array.from({ length: 12 }, (_, at) => `T41${10 + at}    seat ${at}    ${at + 1},250.00`)

test('of a report, the line that names the columns can be chosen, and no delimiter', async () => {
  const { user } = await openUpload()
  await chooseFile(user, 'report.txt', ['GRADY AUTO', '', 'ZZ       QQ        WW', ...rows].join('\r\n'))
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent(/Could not detect headers\. This looks like a printed report\./)
  expect(within(alert).queryByLabelText('Delimiter')).toBeNull()
  const row = within(alert).getByLabelText('Header row')
  await user.clear(row)
  await user.type(row, '3{Enter}')
  expect((await screen.findAllByText(/columns of a report, header in row 3/)).length).toBeGreaterThan(0)
  expect(await screen.findByRole('region', { name: 'First rows' })).toHaveTextContent(/ZZ.*QQ.*WW/)
})

test('of a list without columns, the delimiter can be chosen', async () => {
  const { user } = await openUpload()
  await chooseFile(user, 'list.txt', 'a\nx/y\nDoor/10\nHood/20\n')
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent(/Each line has only one value/)
  expect(within(alert).getByRole('combobox', { name: 'Delimiter' })).toBeVisible()
})

test('sheets of the same columns are read together, or one of them', async () => {
  const { user } = await openUpload()
  const sheet = (make: string, prices: readonly number[]) => ({
    name: make,
    rows: [['Year', 'Model', 'Part', 'Price'], ...prices.map((price) => [2012, 'Any', 'Hood', price])],
  })
  const book = await makeWorkbook({
    sheets: [
      { name: 'Read me', rows: [['One tab per make']] },
      sheet('Ford', [110, 120]),
      sheet('Mazda', [130]),
      sheet('Sold', [140]),
    ],
  })
  await chooseFile(user, 'stock.xlsx', await book.arrayBuffer())
  await waitFor(() =>
    expect(screen.getByRole('tab', { selected: true })).toHaveAccessibleName('Template / Mapping'),
  )
  await user.click(screen.getByRole('tab', { name: 'Upload' }))
  expect((await screen.findAllByText(/^2 sheets, header in row 1$/)).length).toBeGreaterThan(0)
  expect(screen.getByText('“Read me”, “Sold” are not read.')).toBeVisible()
  const select = screen.getByRole('combobox', { name: 'Sheet' })
  expect(select).toHaveValue('All 2 sheets with the same columns')
  const first = () => screen.getByRole('region', { name: 'First rows' })
  expect(first()).toHaveTextContent(/Ford.*Ford.*Mazda/)
  await user.click(select)
  await user.click(await screen.findByRole('option', { name: 'Mazda', hidden: true }))
  await waitFor(() => expect(first()).toHaveTextContent(/130Mazda/))
  expect(first()).not.toHaveTextContent('Ford')
  await user.click(screen.getByRole('combobox', { name: 'Sheet' }))
  await user.click(
    await screen.findByRole('option', { name: 'All 2 sheets with the same columns', hidden: true }),
  )
  await waitFor(() => expect(first()).toHaveTextContent('Ford'))
})
