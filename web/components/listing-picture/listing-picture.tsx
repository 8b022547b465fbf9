import { lazy, Suspense, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import classes from './listing-picture.module.css'

type ListingPictureProps = {
  src: string | null
  /** Shown if `src` fails to load. If this fails too, the drawing is shown. */
  otherwise?: string | undefined
  alt: string
  group: Listing['categoryGroup']
  /** As in <img sizes>; defaults to a card's. */
  sizes?: string
  /** Loads right away instead of lazily, for pictures visible without scrolling. */
  first?: boolean
  /** Overrides the frame's --picture-fit. */
  fit?: 'cover' | 'contain'
}

const cardSizes = '(max-width: 36em) 100vw, (max-width: 62em) 50vw, 300px'

/** The widths the server stores; the picture itself is at most 1600 pixels wide. */
function srcSetOf(src: string): string {
  const sized = `${src}${src.includes('?') ? '&' : '?'}width=`
  return `${sized}440 440w, ${sized}900 900w, ${src} 1600w`
}

/** The listing's picture, or the drawing of its group, or of any part, if there is none or it fails to load. */
export function ListingPicture(props: ListingPictureProps) {
  const { alt, group, sizes = cardSizes, first = false, fit } = props
  const [broken, setBroken] = useState<readonly string[]>([])
  const src = [props.src, props.otherwise].find((source) => source && !broken.includes(source))
  if (!src) return <GroupDrawing group={group} />
  return (
    <img
      src={src}
      // A local file (blob:) has only one size.
      {...(src.startsWith('/api/') && { srcSet: srcSetOf(src), sizes })}
      alt={alt}
      width={220}
      height={185}
      loading={first ? 'eager' : 'lazy'}
      decoding="async"
      className={classes.picture}
      style={{ objectFit: fit }}
      onError={() => setBroken((before) => [...before, src])}
    />
  )
}

const Ground = () => <div className={classes.ground} aria-hidden />

// Loaded lazily: the drawings are as large as a small picture, and the page works without them.
const DrawnGroup = lazy(async () => {
  try {
    return { default: (await import('./drawn-group.tsx')).DrawnGroup }
  } catch {
    return { default: Ground }
  }
})

/** Replaces a missing picture. Decorative, so hidden from screen readers. */
export function GroupDrawing({ group }: { group: string | null }) {
  return (
    <Suspense fallback={<Ground />}>
      <DrawnGroup group={group} />
    </Suspense>
  )
}
