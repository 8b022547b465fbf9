import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { OwnYard } from '#contract/pages/yard.ts'
import { openApp } from './support/app.tsx'
import { bareSettings, makeUser, refuse } from './support/fake-server.ts'

const path = '/dashboard/seller/yard'

const yard: OwnYard = {
  street: '',
  city: 'Joplin',
  state: 'MO',
  zip: '64801',
  phone: '',
  timeZone: 'America/Chicago',
  hours: null,
  policy: { shipping: '', returns: '30 days.', warranty: '' },
  slug: 'whitfield-auto-parts',
  hasPage: true,
}

test('a seller writes their hours and terms, and sees each refusal at its field', async () => {
  const { user, server } = await openApp(path, { as: makeUser(), server: { readYard: yard } })
  expect(await screen.findByLabelText('City')).toHaveValue('Joplin')
  expect(screen.getByRole('link', { name: 'View your page' })).toHaveAttribute(
    'href',
    '/sellers/whitfield-auto-parts',
  )
  const save = screen.getByRole('button', { name: 'Save your page' })
  expect(save).toBeDisabled()

  const day = (name: string) => within(screen.getByRole('group', { name }))
  expect(day('Monday').getByText('Closed')).toBeVisible()
  await user.click(screen.getByRole('checkbox', { name: 'Monday' }))
  await user.clear(screen.getByLabelText('Monday closes'))
  await user.type(screen.getByLabelText('Monday closes'), '16:30')
  await user.click(screen.getByRole('button', { name: 'Use Monday’s hours through Friday' }))
  await user.click(screen.getByRole('checkbox', { name: 'Friday' }))
  await user.selectOptions(screen.getByLabelText('Time zone'), 'Eastern time')
  await user.type(screen.getByLabelText('Warranty'), '90 days.')
  await user.type(screen.getByLabelText('Phone'), 'call us')

  const bad = 'Monday: enter the opening time, such as 08:00'
  const noPhone = 'Enter a phone number such as (918) 555-0142'
  server.answer({
    changeYard: refuse(422, 'VALIDATION_FAILED', 'Please check the marked fields.', {
      fields: { phone: noPhone, 'hours.monday.opens': bad },
    }),
  })
  await user.click(save)
  expect(await screen.findByText(bad)).toBeVisible()
  expect(screen.getByLabelText('Monday opens')).toHaveAccessibleDescription(bad)
  expect(screen.getByLabelText('Phone')).toHaveAccessibleDescription(expect.stringContaining(noPhone))
  await waitFor(() => expect(screen.getByLabelText('Phone')).toHaveFocus())

  const { slug, hasPage, ...kept } = yard
  const workday = { opens: '08:00', closes: '16:30' }
  const changed = {
    ...kept,
    phone: '(417) 555-0118',
    timeZone: 'America/New_York',
    hours: {
      monday: workday,
      tuesday: workday,
      wednesday: workday,
      thursday: workday,
      friday: null,
      saturday: null,
      sunday: null,
    },
    policy: { ...yard.policy, warranty: '90 days.' },
  }
  server.answer({ changeYard: ({ body }) => ({ ...body, slug, hasPage }) })
  await user.clear(screen.getByLabelText('Phone'))
  await user.type(screen.getByLabelText('Phone'), '(417) 555-0118')
  await user.click(save)
  expect(await screen.findByText('Your page is saved')).toBeVisible()
  expect(server.asked('changeYard').at(-1)?.body).toEqual(changed)
  await waitFor(() => expect(save).toBeDisabled())
  expect(screen.queryByText(bad)).toBeNull()
})

test('a seller without a part has no page to look at yet', async () => {
  await openApp(path, { as: makeUser(), server: { readYard: { ...yard, hasPage: false } } })
  expect(await screen.findByText('Buyers see your page once you have listed a part.')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'View your page' })).toBeNull()
})

test('place and phone are asked once: the page and the listing defaults offer what the other has', async () => {
  const listingDefaults = { city: 'Tulsa', state: 'OK', dealerPhone: '(918) 555-0142' }
  const { user } = await openApp(path, {
    as: makeUser({ listingDefaults }),
    server: { readYard: { ...yard, city: '', state: 'MO' } },
  })
  expect(await screen.findByText('In your listing defaults: Tulsa, (918) 555-0142')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Use them here' }))
  expect(screen.getByLabelText('City')).toHaveValue('Tulsa')
  expect(screen.getByLabelText('State')).toHaveValue('MO')
  expect(screen.getByLabelText('Phone')).toHaveValue('(918) 555-0142')
  expect(screen.queryByRole('button', { name: 'Use them here' })).toBeNull()
})

test('the listing defaults offer what the yard’s page says', async () => {
  const { user } = await openApp('/dashboard/seller/account-settings', {
    as: makeUser({ listingDefaults: { state: 'MO' } }),
    server: { ...bareSettings, readYard: yard },
  })
  expect(await screen.findByText('On your yard’s page: Joplin')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Use it here' }))
  expect(screen.getByLabelText('City')).toHaveValue('Joplin')
  expect(screen.getByRole('button', { name: 'Save listing defaults' })).toBeEnabled()
})
