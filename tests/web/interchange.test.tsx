import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { InterchangeReport } from '#contract/search/interchange.ts'
import { openApp } from './support/app.tsx'
import { makeListing, makeUser, refuse } from './support/fake-server.ts'

const id = (at: number) => `019a0000-0000-7000-8000-00000000000${at}`
const plain = {
  id: id(1),
  partslug: 'mirror',
  partname: 'Door mirror',
  partnum: '87940-06380',
  version: 3,
  vehicle: '2012-2014 Toyota Camry',
}
const report: InterchangeReport = {
  parts: 4,
  numbered: 3,
  linked: 3,
  without: [plain],
  page: 1,
  perPage: 24,
  contradictions: [
    {
      sentence: '16400-0P010 is on different parts: Door Mirror, Radiator.',
      parts: [
        { id: id(2), partslug: 'left', partname: 'Left mirror', category: 'Door Mirror' },
        { id: id(3), partslug: 'radiator', partname: 'Radiator', category: 'Radiator' },
      ],
      claimId: null,
    },
  ],
}
const fits = {
  items: [
    {
      id: id(4),
      partslug: 'lamp',
      partname: 'Headlamp',
      partnum: '81150-06470',
      version: 2,
      fitment: '2012 Toyota Camry',
      rows: [{ row: '2013 Lexus ES', why: '81150-06470 is also on parts from this vehicle' }],
    },
  ],
}
const claims = { items: [], total: 0, page: 1, perPage: 50 }

test('a yard fixes its report: numbers, another vehicle a part fits, and what it knows', async () => {
  const { user, server } = await openApp('/dashboard/seller/interchange', {
    as: makeUser(),
    server: {
      readInterchangeReport: report,
      suggestFits: fits,
      listClaims: claims,
      updateOwn: makeListing(),
    },
  })
  expect(await screen.findByText('3 of 4 parts (75%) interchange with another number.')).toBeVisible()
  expect(screen.getByText('1 have no part number.', { exact: false })).toBeVisible()
  const wrong = within(screen.getByRole('region', { name: 'Contradictions' }))
  expect(wrong.getByRole('link', { name: 'Edit Radiator' })).toHaveAttribute(
    'href',
    '/dashboard/seller/products/auto-parts/radiator/edit',
  )

  await user.type(
    screen.getByRole('textbox', { name: 'Interchange numbers of Door mirror, 87940-06380' }),
    'replaces 87940-06370{Enter}',
  )
  await screen.findByText('Interchange of Door mirror saved')
  expect(server.asked('updateOwn')[0]?.body).toEqual({ partinterchange: 'replaces 87940-06370', version: 3 })

  expect(server.asked('updateOwn')).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Add 2013 Lexus ES to Headlamp, 81150-06470' }))
  await screen.findByText('2013 Lexus ES added to Headlamp')
  expect(server.asked('updateOwn')[1]?.body).toEqual({
    fitment: '2012 Toyota Camry; 2013 Lexus ES',
    version: 2,
  })

  const circle = 'This contradicts another statement: B-20002 replaces A-10001, according to your yard.'
  server.answer({ stateClaim: refuse(409, 'CONFLICT', circle, { fields: { other: circle } }) })
  await user.type(screen.getByRole('textbox', { name: /^Number/ }), 'A-10001')
  await user.type(screen.getByRole('textbox', { name: /^Other number/ }), 'B-20002')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: /^Other number/ })).toHaveAccessibleDescription(circle),
  )
})
