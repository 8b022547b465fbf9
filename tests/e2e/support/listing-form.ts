import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'

/** Picks an entry of a searchable select by typing its name. */
export async function choose(form: Locator, label: string, name: string): Promise<void> {
  const field = form
    .getByRole('combobox', { name: label, exact: true })
    .or(form.getByLabel(label, { exact: true }))
  await field.first().click()
  await field.first().fill(name)
  await form.page().getByRole('option', { name, exact: true }).first().click()
}

export type PartText = { title: string; partNumber: string; price: string }

/** Fills in the fields of both forms. */
export async function fillPart(form: Locator, part: PartText): Promise<void> {
  await form.locator('[name=partname]').fill(part.title)
  await choose(form, 'Category', 'Alternator')
  await form.locator('[name=partnum]').fill(part.partNumber)
  await form.getByRole('radio', { name: 'A excellent' }).check({ force: true })
  await form
    .locator('[name=partdescription], [name=partdesc]')
    .fill('Bench tested, pulley turns freely, plug intact.')
  await choose(form, 'Manufacturer', 'Toyota')
  await form.locator('[name=partprice]').fill(part.price)
  await form.locator('[name=partcity]').fill('Tulsa')
  await form.locator('[name=partstate]').fill('OK')
  await form.locator('[name=dealername], [name=partdealer]').fill('Whitfield Auto Salvage')
  await form.locator('[name=dealerphone], [name=phonea]').fill('(918) 555-0142')
}

/** Fills in the additional fields of the quick listing. */
export async function fillQuickDetails(form: Locator): Promise<void> {
  await choose(form, 'Model', 'Camry')
  const texts = {
    partyear: '2012',
    parttrim: 'LE',
    partmiles: '90,000',
    partdamage: 'None',
    zipcode: '74103',
  }
  for (const [name, text] of Object.entries(texts)) await form.locator(`[name=${name}]`).fill(text)
}

export async function choosePicture(page: Page, format: 'png' | 'jpeg' = 'png'): Promise<void> {
  const buffer = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#7a8b99' } })
    .toFormat(format)
    .toBuffer()
  await page
    .locator('input[type=file]:not([capture])')
    .first()
    .setInputFiles({ name: `part.${format}`, mimeType: `image/${format}`, buffer })
}
