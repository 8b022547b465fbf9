import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { ShippingReply, ShippingRow } from '#contract/order/shipping/shipping-list.ts'
import { openApp } from './support/app.tsx'
import { type Handlers, makeUser, newId, refuse } from './support/fake-server.ts'

const page = '/dashboard/seller/orders/ship-by-file'

const rowOf = (changes: Partial<ShippingRow> = {}): ShippingRow => ({
  row: 2,
  number: 'PH-100234',
  orderId: newId(),
  part: '2012 Toyota Camry Starter',
  buyer: 'Ruth Baker',
  carrier: 'ups',
  tracking: '1Z999',
  outcome: 'ship',
  note: null,
  ...changes,
})
const replyOf = (rows: ShippingRow[], changes: Partial<ShippingReply> = {}): ShippingReply => ({
  dryRun: true,
  header: ['Order', 'Carrier', 'Tracking'],
  columns: { number: 'Order', carrier: 'Carrier', tracking: 'Tracking' },
  notes: [],
  rows,
  ...changes,
})
const file = new File(['Order,Carrier,Tracking\nPH-100234,UPS,1Z999\n'], 'shipped.csv', { type: 'text/csv' })

async function choose(server: Handlers) {
  const opened = await openApp(page, { as: makeUser(), server })
  await screen.findByRole('button', { name: 'Choose file' })
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  await opened.user.upload(input, file)
  return opened
}

test('a file is shown with what each row would do, problems first, and then ships', async () => {
  const unknown = rowOf({
    row: 3,
    number: 'PH-1',
    orderId: null,
    part: null,
    buyer: null,
    outcome: 'problem',
    note: 'You have no order with this number.',
  })
  const good = rowOf()
  const { user, server } = await choose({ shipByFile: replyOf([good, unknown]) })
  await screen.findByText('1 order will be shipped. 1 row needs a look.')
  const [, first, second] = screen.getAllByRole('row')
  expect(within(first as HTMLElement).getByText('You have no order with this number.')).toBeVisible()
  expect(within(second as HTMLElement).getByRole('link', { name: 'PH-100234' })).toHaveAttribute(
    'href',
    `/dashboard/seller/orders/${good.orderId}`,
  )
  expect(within(second as HTMLElement).getByText('UPS 1Z999')).toBeVisible()
  expect(server.asked('shipByFile')[0]?.query).toEqual({ dryRun: '1' })

  server.answer({
    shipByFile: replyOf([{ ...good, outcome: 'shipped' }, unknown], { dryRun: false }),
  })
  await user.click(screen.getByRole('button', { name: 'Mark 1 order as shipped' }))
  await screen.findByRole('heading', { name: '1 order marked as shipped' })
  expect(server.asked('shipByFile').at(-1)?.query).toEqual({})
  await user.click(screen.getByRole('button', { name: 'Upload another file' }))
  await screen.findByRole('button', { name: 'Choose file' })
})

test('a column that was not recognized is chosen, and the file is checked again', async () => {
  const { user, server } = await choose({
    shipByFile: replyOf([], {
      header: ['A', 'B'],
      columns: { number: null, carrier: null, tracking: null },
    }),
  })
  await screen.findByText('Choose the column with order numbers')
  expect(screen.getByRole('button', { name: 'Nothing to ship' })).toBeDisabled()
  server.answer({
    shipByFile: replyOf([rowOf()], {
      header: ['A', 'B'],
      columns: { number: 'B', carrier: null, tracking: null },
    }),
  })
  await user.selectOptions(screen.getByLabelText('Column: Order number'), 'B')
  await screen.findByRole('button', { name: 'Mark 1 order as shipped' })
})

test('a file that cannot be read says why; a shipment that broke off says how to go on', async () => {
  const { user, server } = await choose({
    shipByFile: refuse(413, 'TOO_LARGE', 'The file has more than 500 rows.'),
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('The file has more than 500 rows.')
  server.answer({ shipByFile: replyOf([rowOf()]) })
  await user.upload(document.querySelector('input[type=file]') as HTMLInputElement, file)
  await screen.findByRole('button', { name: 'Mark 1 order as shipped' })
  server.answer({ shipByFile: refuse(503, 'BUSY', 'Too busy.') })
  await user.click(screen.getByRole('button', { name: 'Mark 1 order as shipped' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Too busy. Try again: orders that were already marked as shipped stay as they are.',
  )
  server.answer({ shipByFile: replyOf([rowOf({ outcome: 'shipped' })], { dryRun: false }) })
  await user.click(screen.getByRole('button', { name: 'Mark 1 order as shipped' }))
  await screen.findByRole('heading', { name: '1 order marked as shipped' })
})
