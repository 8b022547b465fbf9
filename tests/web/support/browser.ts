import { afterEach } from 'vitest'
import { expectNoFaults } from './fake-server.ts'
import { cleanup } from './page.ts'

/*
 * Runs before each test file: the files of a worker share its modules, so what is done once a file has to be done here.
 */

// What happy-dom lacks and the components need.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
/** Every file is a picture of 40 by 30, and its JPEG has the file's name. */
globalThis.createImageBitmap = (async (file: File) => ({
  width: 40,
  height: 30,
  name: file.name,
  close: () => undefined,
})) as unknown as typeof createImageBitmap
globalThis.OffscreenCanvas = class {
  #drawn = ''
  getContext = () => ({
    fillRect: () => undefined,
    drawImage: ({ name }: { name: string }) => (this.#drawn = name),
  })
  convertToBlob = async () => new Blob([this.#drawn], { type: 'image/jpeg' })
} as unknown as typeof OffscreenCanvas
Element.prototype.checkVisibility = () => true

afterEach(async () => {
  cleanup()
  const { notifications } = await import('@mantine/notifications')
  notifications.clean()
  expectNoFaults()
})
