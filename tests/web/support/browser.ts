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

/*
 * Each query by role or name asks what elements look like, and happy-dom then tries each rule on all their ancestors: a
 * sixth of all that these tests cost. Vite leaves style sheets out, so an element looks as its kind and it itself say,
 * and only a class of Mantine's hides some by the width of the window.
 */
const realLook = window.getComputedStyle.bind(window)
const displayOfKind = new Map<string, string>()

function look(element: HTMLElement, property: string): unknown {
  const own = element.hasAttribute('style') && Reflect.get(element.style, property)
  if (own) return own
  if (property === 'visibility') return element.parentElement ? look(element.parentElement, property) : ''
  if (property === 'fontSize') return '16px'
  if (property !== 'display') return ''
  if (!element.isConnected || /mantine-(hidden|visible)-from/.test(element.className))
    return realLook(element).display
  const kind = `${element.tagName} ${element.hasAttribute('open')}`
  const display = displayOfKind.get(kind) ?? realLook(element).display
  displayOfKind.set(kind, display)
  return display
}

window.getComputedStyle = ((element: HTMLElement) =>
  new Proxy(element.style, {
    get: (_, name) => {
      if (name === 'getPropertyValue') return (property: string) => look(element, property)
      return look(element, String(name))
    },
  })) as typeof window.getComputedStyle

afterEach(async () => {
  cleanup()
  const { notifications } = await import('@mantine/notifications')
  notifications.clean()
  expectNoFaults()
})
