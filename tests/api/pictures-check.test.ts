import { expect, onTestFinished, test, vi } from 'vitest'
import { picturesCheck } from '#server/commands/pictures-check.ts'
import { pictureKey } from '#server/features/market/pictures/picture-files.ts'
import { Refusal } from '#server/platform/errors.ts'
import { openLog } from '#server/platform/log.ts'
import { makePictureListing } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { config, db, files, signUp } = await startTestApp()

test('pictures check names each missing file with its listing, and changes nothing', async () => {
  const lines: unknown[] = []
  const printed = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line))
  onTestFinished(() => printed.mockRestore())
  const check = () => picturesCheck(config, openLog({ role: 'test', level: 'silent' }))
  const { api } = await signUp()
  const [whole, hurt] = [await makePictureListing(api), await makePictureListing(api)]
  await check()
  expect(lines.splice(0)).toEqual(['No picture files are missing.'])

  // Same content, same file: the second listing gets a picture of its own.
  const key = pictureKey('0'.repeat(64))
  await db
    .updateTable('listing_image')
    .set({ sha256: '0'.repeat(64) })
    .where('listing_id', '=', hurt.id)
    .execute()
  const rows = () => db.selectFrom('listing_image').selectAll().orderBy('id').execute()
  const before = await rows()
  const failure: unknown = await check().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Refusal)
  expect(failure).toMatchObject({ message: 'Missing picture files: 1.' })
  expect(lines).toEqual([`${key}  missing in listing ${hurt.id}`])
  expect(await rows()).toEqual(before)
  expect(await files.exists(key)).toBe(false)
  expect(JSON.stringify(lines)).not.toContain(whole.id)
})
