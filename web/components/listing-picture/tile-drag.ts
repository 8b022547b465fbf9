import { type MouseEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'

/** A dragged tile's position, and the one it would get if dropped now. */
export type TileDrag = { from: number; to: number }

/** A mouse moves a few pixels during a click. */
const THRESHOLD = 6

type Start = { from: number; x: number; y: number; pointerId: number }

/**
 * Lets tiles be moved with a pointer. A mouse drags a tile anywhere; a finger drags it by its handle (`data-handle`), because
 * everywhere else it scrolls the page. Tiles are the children of `list` with `data-tile`.
 */
export function useTileDrag(move: (from: number, to: number) => void) {
  const list = useRef<HTMLUListElement>(null)
  const start = useRef<Start>(undefined)
  /** A drag may end with an unintended click on the tile under the pointer. */
  const wasDragged = useRef(false)
  const [drag, setDrag] = useState<TileDrag>()

  const onMove = useEffectEvent((event: globalThis.PointerEvent) => {
    const started = start.current
    if (!started || event.pointerId !== started.pointerId) return
    const distance = Math.hypot(event.clientX - started.x, event.clientY - started.y)
    if (!drag && distance < THRESHOLD) return
    event.preventDefault()
    wasDragged.current = true
    const to = placeAt(list.current, event, started.from)
    if (to !== drag?.to) setDrag({ from: started.from, to })
  })
  const end = useEffectEvent((isDrop: boolean) => {
    start.current = undefined
    if (drag && isDrop && drag.from !== drag.to) move(drag.from, drag.to)
    setDrag(undefined)
  })

  useEffect(() => {
    const moves = (event: globalThis.PointerEvent) => onMove(event)
    const drops = () => end(true)
    const cancels = () => end(false)
    const escapes = (event: KeyboardEvent) => event.key === 'Escape' && end(false)
    window.addEventListener('pointermove', moves)
    window.addEventListener('pointerup', drops)
    window.addEventListener('pointercancel', cancels)
    window.addEventListener('keydown', escapes)
    return () => {
      window.removeEventListener('pointermove', moves)
      window.removeEventListener('pointerup', drops)
      window.removeEventListener('pointercancel', cancels)
      window.removeEventListener('keydown', escapes)
    }
  }, [])

  return {
    list,
    drag,
    begin(event: PointerEvent, from: number): void {
      wasDragged.current = false
      const byHandle = event.target instanceof Element && event.target.closest('[data-handle]') !== null
      if (event.button !== 0 || (event.pointerType !== 'mouse' && !byHandle)) return
      start.current = { from, x: event.clientX, y: event.clientY, pointerId: event.pointerId }
      // Otherwise dragging selects text.
      if (event.pointerType === 'mouse') event.preventDefault()
    },
    /** Whether a click is only the end of a drag. */
    isDragEnd({ detail }: MouseEvent): boolean {
      const was = wasDragged.current
      wasDragged.current = false
      // A click by keyboard has a count of 0.
      return was && detail > 0
    },
  }
}

/** The place of a tile dropped here: before or after the tile under the pointer, or where it was. */
function placeAt(
  list: HTMLElement | null,
  { clientX, clientY }: Pick<globalThis.PointerEvent, 'clientX' | 'clientY'>,
  from: number,
): number {
  const tiles = [...(list?.querySelectorAll('[data-tile]') ?? [])]
  const at = tiles.findIndex((tile) => {
    const { left, right, top, bottom } = tile.getBoundingClientRect()
    return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
  })
  const tile = tiles[at]
  if (!tile) return from
  const { left, width } = tile.getBoundingClientRect()
  const gap = clientX > left + width / 2 ? at + 1 : at
  // Moving forward, the tile leaves a gap that the others close.
  return gap > from ? gap - 1 : gap
}
