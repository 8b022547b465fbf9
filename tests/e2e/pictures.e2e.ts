import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import sharp from 'sharp'
import type { PictureList } from '#contract/pictures.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { signIn } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

const FULL = 24

/** A folder named by stock number with pictures that all differ; the first was taken with the phone held upright. */
async function makeFolder(stock: string, count: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'partharbor-pictures-'))
  await mkdir(join(folder, stock))
  const write = async (number: number) => {
    const background = { r: number * 10, g: 255 - number * 10, b: 90 }
    const picture = sharp({ create: { width: 320, height: 240, channels: 3, background } })
    const file = picture.jpeg().withMetadata({ orientation: number === 1 ? 6 : 1 })
    await writeFile(join(folder, stock, `IMG_${number}.jpg`), await file.toBuffer())
  }
  await Promise.all(Array.from({ length: count }, (_, at) => write(at + 1)))
  return folder
}

const PICTURES = /\/api\/listings\/[\w-]+\/pictures$/
const isUpload = (route: Route) => route.request().method() === 'POST'

/** Each upload at such a place breaks off: in turn before it arrives, and after it arrived but before its reply. */
async function breakUploads(page: Page, every: number): Promise<() => number> {
  let count = 0
  let broken = 0
  await page.route(PICTURES, async (route: Route) => {
    if (!isUpload(route)) return route.continue()
    count += 1
    if (count % every !== 0) return route.continue()
    broken += 1
    if (broken % 2 === 0) await route.fetch()
    return route.abort('connectionreset')
  })
  return () => broken
}

type Upload = { count: number; every: number }

/** The phone adds a folder over the connection, and once more after a reload, when nothing is sent again. */
async function addFolder(page: Page, { count, every }: Upload) {
  const { person, parts } = await makeParts(page, 1, { stocknum: 'A-1042' })
  const { token } = await signIn(page, person)
  const folder = await makeFolder('A-1042', count)
  const timesBroken = await breakUploads(page, every)
  const readPictures = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const reply = await page.request.get(`/api/listings/${parts[0]?.id}/pictures`, { headers })
    return ((await reply.json()) as PictureList).pictures
  }

  await page.goto('/dashboard/seller/my-quick-listings')
  await page.getByRole('link', { name: 'Add pictures' }).click()
  await page.locator('input[webkitdirectory]').setInputFiles(folder)
  await expect(page.getByText(`${count} pictures for 1 part.`)).toBeVisible()
  await page.getByRole('button', { name: `Upload ${count} pictures` }).click()
  await expect(page.getByText(`${count} pictures added to 1 part.`)).toBeVisible({ timeout: 40_000 })
  expect(timesBroken()).toBeGreaterThanOrEqual(Math.floor(count / every))

  const pictures = await readPictures()
  expect(pictures).toHaveLength(count)
  expect(new Set(pictures.map(({ url }) => url?.split('v=')[1])).size).toBe(count)
  // Upright, and the first by its name.
  expect(pictures.map(({ width }) => width)).toEqual([240, ...Array.from({ length: count - 1 }, () => 320)])

  await page.reload()
  await page.locator('input[webkitdirectory]').setInputFiles(folder)
  await expect(page.getByText(`Left out: ${count} added before.`)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Upload/ })).toBeHidden()
  return { parts, folder, pictures, readPictures }
}

test('a phone adds a folder of pictures through a connection that breaks: all arrive in order, none twice', async ({
  page,
}) => {
  const { folder } = await addFolder(page, { count: 6, every: 3 })
  await rm(folder, { recursive: true })
})

test('a part with all 24 pictures takes none twice, and loses none with the tab', { tag: '@long' }, async ({
  page,
}) => {
  const { parts, folder, pictures, readPictures } = await addFolder(page, { count: FULL, every: 6 })
  // A full part takes only what it has: the same file is the same picture again, under any name.
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.locator('input[accept*=zip]').setInputFiles([
    {
      name: 'A-1042_1.jpg',
      mimeType: 'image/jpeg',
      buffer: await readFile(join(folder, 'A-1042/IMG_1.jpg')),
    },
  ])
  await page.getByRole('button', { name: 'Upload 1 picture' }).click()
  await expect(page.getByText('1 picture added to 1 part.')).toBeVisible()
  expect(await readPictures()).toEqual(pictures)

  // In the part's form a picture is saved without a connection, and the tab dies: it goes on when the form is opened again.
  await page.goto(`/dashboard/seller/products/auto-parts/${parts[0]?.partslug}/edit`)
  await page.getByRole('button', { name: 'Remove picture 24 of 24' }).click()
  await page.route(PICTURES, (route) => (isUpload(route) ? route.abort() : route.continue()))
  await page.locator('input[name=image]').setInputFiles(join(folder, 'A-1042/IMG_24.jpg'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('No connection')).toBeVisible()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByText('No connection')).toBeVisible()
  expect(await readPictures()).toEqual(pictures.slice(0, -1))
  await page.unrouteAll()
  // It tries again by itself within 20 s; a click on "Try again" could come a moment after that button is gone.
  const last = page.getByRole('button', { name: 'Move picture 24 of 24', exact: true })
  await expect(last).toBeEnabled({ timeout: 30_000 })
  const addressesOf = (list: typeof pictures) => list.map(({ url }) => url?.split('v=')[1])
  expect(addressesOf(await readPictures())).toEqual(addressesOf(pictures))
  await rm(folder, { recursive: true })
})
