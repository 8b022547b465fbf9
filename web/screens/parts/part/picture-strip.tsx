import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { CSSProperties, KeyboardEvent, MouseEvent, RefObject } from 'react'
import type { Listing } from '#contract/listings.ts'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import classes from './gallery.module.css'

/* A row of pictures that shows one at a time, in the page and in full screen. */

export type Picture = Listing['images'][number]

/** The element id of a picture in the page's strip. */
export const idOf = (place: number) => `picture-${place + 1}`

type StripRef = RefObject<HTMLUListElement | null>

/** Brings a picture of a strip into view. */
export function turnTo({ current: strip }: StripRef, place: number): void {
  strip?.scrollTo({ left: strip.clientWidth * place })
}

const placeOf = ({ scrollLeft, clientWidth }: HTMLElement) => Math.round(scrollLeft / clientWidth)

/** Handles the arrow keys, Home and End. */
export function turnByKey(strip: StripRef, event: KeyboardEvent): void {
  const { current: list } = strip
  const next = list && keys[event.key]?.(placeOf(list), list.children.length - 1)
  if (typeof next !== 'number' || event.defaultPrevented) return
  event.preventDefault()
  turnTo(strip, next)
  // Don't leave the focus on a link that scrolled out of view.
  if (list?.contains(document.activeElement)) {
    list.children[next]?.querySelector('a')?.focus({ preventScroll: true })
  }
}

const keys: Partial<Record<string, (place: number, last: number) => number>> = {
  ArrowLeft: (place) => Math.max(place - 1, 0),
  ArrowRight: (place, last) => Math.min(place + 1, last),
  Home: () => 0,
  End: (_place, last) => last,
}

type StripProps = {
  ref: StripRef
  pictures: readonly Picture[]
  /** The visible picture, the only one that Tab stops at. */
  at: number
  sizes: string
  /** Whether each picture can be linked to, as in the page. */
  hasAddresses?: boolean
  onShown: (place: number) => void
  onPress: (event: MouseEvent<HTMLAnchorElement>, place: number) => void
}

/** Pictures side by side, each as large as the strip. Swiping or arrow keys turn them. */
export function Strip({ ref, pictures, at, sizes, hasAddresses = false, onShown, onPress }: StripProps) {
  return (
    <ul
      ref={ref}
      className={classes.strip}
      onScroll={({ currentTarget }) => onShown(placeOf(currentTarget))}
      onKeyDown={(event) => turnByKey(ref, event)}
    >
      {pictures.map((picture, place) => (
        <li key={picture.id} {...(hasAddresses && { id: idOf(place) })}>
          <a
            href={picture.url}
            {...(place !== at && { tabIndex: -1 })}
            aria-label={`${nameOf(picture, place, pictures.length)}, ${hasAddresses ? 'full screen' : 'zoom in'}`}
            onClick={(event) => onPress(event, place)}
          >
            <ListingPicture
              src={picture.url}
              alt={picture.alt}
              group={null}
              width={picture.width}
              height={picture.height}
              main={place === 0}
              fit="contain"
              sizes={sizes}
            />
            <Dots picture={picture} before={countMarks(pictures.slice(0, place))} />
          </a>
        </li>
      ))}
    </ul>
  )
}

const nameOf = ({ alt }: Picture, place: number, count: number) =>
  count === 1 ? alt : `${alt}, picture ${place + 1} of ${count}`

type TurnProps = { strip: StripRef; at: number; count: number }

/** Buttons for a mouse, which cannot swipe. */
export function Turn({ strip, at, count }: TurnProps) {
  return (
    <>
      <button
        type="button"
        className={classes.back}
        aria-label="Previous picture"
        disabled={at === 0}
        onClick={() => turnTo(strip, at - 1)}
      >
        <IconChevronLeft size={24} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.on}
        aria-label="Next picture"
        disabled={at === count - 1}
        onClick={() => turnTo(strip, at + 1)}
      >
        <IconChevronRight size={24} aria-hidden />
      </button>
    </>
  )
}

export const countMarks = (pictures: readonly Picture[]) =>
  pictures.reduce((count, { marks }) => count + marks.length, 0)

type DotsProps = {
  picture: Picture
  /** The number of marks in the pictures before it; all are numbered together. */
  before: number
}

/**
 * The numbers of damage marks over a picture that is fitted into its frame: the box has the picture's shape. Each number's tip
 * points at the damage, and the rest stays inside the picture.
 */
export function Dots({ picture: { width, height, marks }, before }: DotsProps) {
  if (marks.length === 0) return null
  return (
    <span className={classes.dots} style={{ '--shape': width / height } as CSSProperties} aria-hidden="true">
      {marks.map(({ x, y }, number) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a mark has nothing else that is its own
          key={number}
          className={classes.dot}
          style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
          data-side={`${y < 0.15 ? 'below' : 'above'} ${x > 0.85 ? 'left' : 'right'}`}
        >
          {before + number + 1}
        </span>
      ))}
    </span>
  )
}
