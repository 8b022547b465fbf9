import { screen, waitFor, within } from '@testing-library/dom'
import { afterEach, expect, test, vi } from 'vitest'
import type { VinVehicle } from '#contract/vehicle/vin.ts'
import { openApp } from './support/app.tsx'
import { lookups, makeUser } from './support/fake-server.ts'

const vin = '4T1BF1FKXCU345678'
const camry: VinVehicle = {
  vin,
  valid: true,
  problems: [],
  suggestions: [],
  year: 2012,
  make: 'Toyota',
  model: 'Camry',
  series: null,
  trim: null,
  body: null,
  doors: 4,
  engine: null,
  engineParts: null,
  fuel: null,
  drive: null,
  transmission: null,
  makeId: lookups.toyota,
  modelId: lookups.camry,
  certainty: { year: 1, make: 1, model: 1 },
}

/** A browser that reads barcodes itself, and sees these in every picture. */
function seeBarcodes(...texts: string[]): void {
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['code_39', 'qr_code']
      detect = async () => texts.map((rawValue) => ({ rawValue }))
    },
  )
}

/** A device with a camera, or the reason why it has none. Returns whether the camera is on. */
function haveCamera(problem?: string): { isOn: () => boolean } {
  let running = 0
  const track = () => {
    running += 1
    return { stop: () => (running -= 1) }
  }
  const getUserMedia = async () => {
    if (problem !== undefined) throw new DOMException('', problem)
    const tracks = [track()]
    return Object.assign(new MediaStream(), { getTracks: () => tracks })
  }
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia }, configurable: true })
  const videoWidth = { get: () => (running > 0 ? 640 : 0), configurable: true }
  Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', videoWidth)
  return { isOn: () => running > 0 }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function openScanner() {
  const app = await openApp('/dashboard/seller/create-data-table-listing', {
    as: makeUser(),
    server: { decodeVin: camry },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Scan VIN' }))
  const dialog = await screen.findByRole('dialog', { name: 'Scan VIN' })
  return { ...app, dialog, field: screen.getByRole('textbox', { name: /^VIN/ }) }
}

test('the VIN that the camera sees is filled in with its car, and the camera is off again', async () => {
  seeBarcodes('7L3Z-13008', `I${vin}`)
  const camera = haveCamera()
  const { field } = await openScanner()
  await waitFor(() => expect(field).toHaveValue(vin))
  expect(await screen.findByText('2012 Toyota Camry')).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(camera.isOn()).toBe(false)
})

test('another barcode is pointed out, and closing the dialog stops the camera', async () => {
  seeBarcodes('7L3Z-13008')
  const camera = haveCamera()
  const { user, dialog, field } = await openScanner()
  expect(await within(dialog).findByText(/isn’t a VIN/)).toBeVisible()
  expect(camera.isOn()).toBe(true)
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(camera.isOn()).toBe(false)
  expect(field).toHaveValue('')
})

test.each([
  ['NotFoundError', /No camera found/],
  ['NotAllowedError', /The camera is blocked for this site/],
  ['NotReadableError', /Another app is using the camera/],
  ['TypeError', /can’t open a camera here/],
])('without a camera (%s) it says why, and a photo will do', async (problem, sentence) => {
  seeBarcodes(vin)
  haveCamera(problem)
  const { user, dialog, field } = await openScanner()
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(sentence)
  const photo = new File(['a label'], 'label.jpg', { type: 'image/jpeg' })
  const input = within(dialog).getByLabelText('Use a photo')
  // With it, a phone opens its camera and offers no photo taken before.
  expect(input).not.toHaveAttribute('capture')
  await user.upload(input, photo)
  await waitFor(() => expect(field).toHaveValue(vin))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a photo without a VIN says so, and so does a file that isn’t a photo', async () => {
  seeBarcodes()
  haveCamera('NotFoundError')
  const { user, dialog } = await openScanner()
  const input = within(dialog).getByLabelText('Use a photo')
  await user.upload(input, new File(['a car'], 'car.jpg', { type: 'image/jpeg' }))
  expect(await within(dialog).findByText(/No VIN barcode found in this photo/)).toBeVisible()
  vi.spyOn(globalThis, 'createImageBitmap').mockRejectedValue(new Error('not a picture'))
  await user.upload(input, new File(['a list'], 'list.pdf', { type: 'application/pdf' }))
  expect(await within(dialog).findByText(/can’t be opened as a picture/)).toBeVisible()
})

test('a VIN whose check digit is wrong has to be read twice', async () => {
  const misread = `${vin.slice(0, -1)}9`
  const texts = [[misread], [vin.replace('F', 'P')], [misread]]
  let looks = 0
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['code_39']
      detect = async () => (texts[looks++] ?? [misread]).map((rawValue) => ({ rawValue }))
    },
  )
  haveCamera()
  const { field } = await openScanner()
  await waitFor(() => expect(field).toHaveValue(misread))
  expect(looks).toBe(4)
})

test('a buyer scans a VIN in the garage, and the car is there', async () => {
  seeBarcodes(vin)
  haveCamera()
  const { user } = await openApp('/garage', { server: { decodeVin: camry } })
  await user.click(await screen.findByRole('button', { name: 'Scan VIN' }))
  expect(await screen.findByText('Vehicle added')).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Find parts for 2012 Toyota Camry' })).toBeVisible()
})
