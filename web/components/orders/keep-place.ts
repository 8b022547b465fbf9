/** Of the place that says what happens next on an order's page. */
export const nextId = 'next'

/** What has the focus; if that goes, the link of its row, and of the rows around it. */
export function placesAround(place: Element | null | undefined): HTMLElement[] {
  const row = place?.closest('li')
  const links = [row, row?.nextElementSibling, row?.previousElementSibling].map((li) =>
    li?.querySelector('a'),
  )
  return [place, ...links].filter((one) => one instanceof HTMLElement)
}

// What a reply changes is drawn within a few of them.
const FRAMES = 12

/**
 * What had the focus may go, and the focus with it, so that the Tab key would begin again at the top: goes on at the first of
 * these places that is there then, else at what happens next, else at the page.
 */
export function keepPlace(places: readonly HTMLElement[] = []): void {
  let frames = FRAMES
  const look = () => {
    if (document.activeElement === document.body) goOn(places)
    frames -= 1
    if (frames > 0) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

function goOn(places: readonly HTMLElement[]): void {
  const known = [nextId, 'main'].map((id) => document.getElementById(id))
  for (const place of [...places, ...known]) {
    if (place?.isConnected) place.focus({ preventScroll: known.includes(place) })
    if (document.activeElement !== document.body) return
  }
}
