import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'
import { blurred, code39, drawStripes } from '#tests/support/barcode-picture.ts'

const vin = '1HGCM82633A004352'

/** A video (YUV4MPEG2) of one frame, which Chromium repeats: an imported car's label, held a little askew. */
function labelVideo(): Buffer {
  const frame = { width: 1280, height: 720, narrow: 3, high: 110, degrees: 2 }
  const { pixels, width, height } = blurred(drawStripes(code39(`I${vin}`), frame), 12, Math.random)
  const gray = Buffer.alloc((width * height) / 2, 128)
  const header = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\nFRAME\n`
  return Buffer.concat([Buffer.from(header), Buffer.from(pixels), gray])
}

test.use({
  viewport: { width: 390, height: 844 },
  launchOptions: async ({ launchOptions }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'partharbor-camera-'))
    const video = join(folder, 'label.y4m')
    await writeFile(video, labelVideo())
    const camera = [
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
      // The packaged browser cannot ask, and refuses every camera without this.
      '--use-fake-ui-for-media-stream',
    ]
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...camera] })
    await rm(folder, { recursive: true })
  },
})

/** Notes the camera's tracks. Returns their states. */
async function watchCamera(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const tracks: MediaStreamTrack[] = []
    const devices = navigator.mediaDevices
    const open = devices.getUserMedia.bind(devices)
    const getUserMedia: typeof open = async (wanted) => {
      const stream = await open(wanted)
      tracks.push(...stream.getTracks())
      return stream
    }
    Object.assign(devices, { getUserMedia })
    Object.assign(window, { cameraStates: () => tracks.map(({ readyState }) => readyState) })
  })
  return () => page.evaluate(() => (window as unknown as { cameraStates(): string[] }).cameraStates())
}

test('a seller at the car scans its VIN, and the form has the car', async ({ page }) => {
  const states = await watchCamera(page)
  await signInAsNewSeller(page)
  const loaded: string[] = []
  page.on('response', (reply) => loaded.push(new URL(reply.url()).pathname))
  const readers = () => loaded.filter((path) => /\/(scan-dialog|barcodes)-/.test(path))
  await page.goto('/dashboard/seller/create-data-table-listing')
  const scan = page.getByRole('button', { name: 'Scan VIN' })
  const field = page.getByRole('textbox', { name: /^VIN/ })
  await scan.waitFor()
  expect(readers()).toEqual([])

  await scan.click()
  await expect(field).toHaveValue(vin, { timeout: 30_000 })
  const dialog = page.getByRole('dialog', { name: 'Scan VIN' })
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/^2003 Honda Accord EX-V6/)).toBeVisible()
  expect(await states()).toEqual(['ended'])
  expect(readers().length).toBeGreaterThanOrEqual(2)

  await test.step('when the camera is blocked, the dialog says so; Escape closes it', async () => {
    await page.evaluate(() =>
      Object.assign(navigator.mediaDevices, {
        getUserMedia: () => Promise.reject(new DOMException('', 'NotAllowedError')),
      }),
    )
    await scan.click()
    await expect(dialog.getByRole('alert')).toContainText('The camera is blocked for this site.')
    await expectNoSeriousAxe(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(scan).toBeFocused()
  })
})
