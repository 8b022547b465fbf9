import type { Page } from '@playwright/test'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'
import { blurred, code39, drawStripes } from '#tests/support/barcode-picture.ts'

const vin = '1HGCM82633A004352'

/**
 * A camera that shows an imported car's label, held a little askew. A stream of its own, as the packaged browser refuses even
 * Chromium's pretended camera ("Not supported"). Returns the states of what was opened.
 */
async function haveCamera(page: Page): Promise<() => Promise<string[]>> {
  const frame = { width: 1280, height: 720, narrow: 3, high: 110, degrees: 2 }
  const { pixels, width, height } = blurred(drawStripes(code39(`I${vin}`), frame), 12, Math.random)
  await page.addInitScript(
    ({ gray, width, height }) => {
      const tracks: MediaStreamTrack[] = []
      const getUserMedia = async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width, height })
        const context = canvas.getContext('2d') as CanvasRenderingContext2D
        const image = context.createImageData(width, height)
        Array.from(atob(gray), (byte, at) =>
          image.data.set([byte.charCodeAt(0), byte.charCodeAt(0), byte.charCodeAt(0), 255], at * 4),
        )
        const draw = () => context.putImageData(image, 0, 0)
        draw()
        setInterval(draw, 100)
        const stream = canvas.captureStream(10)
        tracks.push(...stream.getTracks())
        return stream
      }
      Object.assign(navigator.mediaDevices, { getUserMedia })
      Object.assign(window, { cameraStates: () => tracks.map(({ readyState }) => readyState) })
    },
    { gray: Buffer.from(pixels).toString('base64'), width, height },
  )
  return () => page.evaluate(() => (window as unknown as { cameraStates(): string[] }).cameraStates())
}

test.use({ viewport: { width: 390, height: 844 } })

test('a seller at the car scans its VIN, and the form has the car', async ({ page }) => {
  const states = await haveCamera(page)
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

  await test.step('without a camera, the dialog says so; Escape closes it', async () => {
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
