import { IconX, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import classes from './full-screen.module.css'
import { countMarks, Dots, type Picture, Strip, Turn, turnByKey } from './picture-strip.tsx'

/** A point of a picture, from 0 to 1 of its frame. */
type Point = { x: number; y: number }
const MIDDLE: Point = { x: 0.5, y: 0.5 }

type FullScreenProps = { pictures: readonly Picture[]; first: number; onClose: () => void }

/**
 * The pictures in full screen, starting at `first`. A native dialog: Escape closes it, and the focus returns to where it was.
 * A click on a picture zooms in there.
 */
export function FullScreen({ pictures, first, onClose }: FullScreenProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const strip = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(first)
  const [zoomedTo, setZoomedTo] = useState<Point>()
  const picture = pictures[at]

  useLayoutEffect(() => {
    dialog.current?.showModal()
    strip.current?.scrollTo({ left: strip.current.clientWidth * first, behavior: 'instant' })
  }, [first])

  const zoomOut = () => {
    setZoomedTo(undefined)
    strip.current?.children[at]?.querySelector('a')?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey } = event
    if (ctrlKey || metaKey) return
    if (key === '+' || key === '=') setZoomedTo((before) => before ?? MIDDLE)
    else if (zoomedTo && key === '-') zoomOut()
    else if (!zoomedTo) turnByKey(strip, event)
  }
  return (
    <dialog
      ref={dialog}
      className={`ink ${classes.dialog}`}
      aria-label="Pictures"
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <div className={classes.head}>
        <p aria-live="polite">
          Picture {at + 1} of {pictures.length}
        </p>
        <button
          type="button"
          className={classes.button}
          aria-label={zoomedTo ? 'Zoom out' : 'Zoom in'}
          onClick={zoomedTo ? zoomOut : () => setZoomedTo(MIDDLE)}
        >
          {zoomedTo ? <IconZoomOut size={24} aria-hidden /> : <IconZoomIn size={24} aria-hidden />}
        </button>
        <button
          type="button"
          className={classes.button}
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <IconX size={24} aria-hidden />
        </button>
      </div>
      <div className={classes.stage}>
        <div className={classes.stage} inert={zoomedTo !== undefined}>
          <Strip
            ref={strip}
            pictures={pictures}
            at={at}
            sizes="100vw"
            onShown={setAt}
            onPress={(event) => {
              event.preventDefault()
              if (!isSecond(event)) setZoomedTo(clickedPoint(event))
            }}
          />
          {pictures.length > 1 && <Turn strip={strip} at={at} count={pictures.length} />}
        </div>
        {zoomedTo && picture && (
          <Zoomed
            picture={picture}
            to={zoomedTo}
            before={countMarks(pictures.slice(0, at))}
            onPress={zoomOut}
          />
        )}
      </div>
      <Marks pictures={pictures} at={at} />
    </dialog>
  )
}

/** A double click or tap counts once. */
const isSecond = ({ detail }: MouseEvent) => detail > 1

/** Where the picture was clicked; by keyboard, the middle. */
function clickedPoint({ currentTarget, clientX, clientY, detail }: MouseEvent): Point {
  if (detail === 0) return MIDDLE
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  return { x: (clientX - left) / width, y: (clientY - top) / height }
}

type ZoomedProps = { picture: Picture; to: Point; before: number; onPress: () => void }

/** A picture larger than its frame, moved by swiping, wheel, arrow keys or dragging with the mouse. */
function Zoomed({ picture, to, before, onPress }: ZoomedProps) {
  const pane = useRef<HTMLDivElement>(null)
  const dragged = useRef(false)

  useEffect(() => {
    const { current: view } = pane
    if (!view) return
    view.focus({ preventScroll: true })
    view.scrollTo(
      to.x * view.scrollWidth - view.clientWidth / 2,
      to.y * view.scrollHeight - view.clientHeight / 2,
    )
  }, [to])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has the button above, and the minus key
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above, by button and minus key
    <div
      ref={pane}
      className={classes.zoomed}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by arrow keys
      tabIndex={0}
      onPointerDown={() => {
        dragged.current = false
      }}
      onPointerMove={({ buttons, pointerType, movementX, movementY, currentTarget }) => {
        if (pointerType !== 'mouse' || buttons !== 1) return
        dragged.current ||= Math.abs(movementX) + Math.abs(movementY) > 2
        currentTarget.scrollBy(-movementX, -movementY)
      }}
      onClick={(event) => !dragged.current && !isSecond(event) && onPress()}
    >
      <div className={classes.large}>
        <img
          src={picture.url}
          alt={picture.alt}
          width={picture.width}
          height={picture.height}
          draggable={false}
        />
        <Dots picture={picture} before={before} />
      </div>
    </div>
  )
}

/** Explains the numbers in the visible picture. */
function Marks({ pictures, at }: { pictures: readonly Picture[]; at: number }) {
  const marks = pictures[at]?.marks ?? []
  if (marks.length === 0) return null
  return (
    <ol
      className={classes.marks}
      start={countMarks(pictures.slice(0, at)) + 1}
      aria-label="Marked in this picture"
    >
      {marks.map(({ note }, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mark has nothing else that is its own
        <li key={number}>{note}</li>
      ))}
    </ol>
  )
}
