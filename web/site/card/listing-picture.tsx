import { useState } from 'react'
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
  /** The page's main picture, which the browser requests before scripts. */
  main?: boolean
  /** Overrides the frame's --picture-fit. */
  fit?: 'cover' | 'contain'
  /** In pixels; defaults to the shape of a card's. */
  width?: number
  height?: number
}

const cardSizes = '(max-width: 36em) 120px, (max-width: 48em) 50vw, 300px'

/** The widths the server stores; the picture itself is at most 1600 pixels wide. */
function srcSetOf(src: string): string {
  const sized = `${src}${src.includes('?') ? '&' : '?'}width=`
  return `${sized}440 440w, ${sized}900 900w, ${src} 1600w`
}

/** The listing's picture, or the drawing of its group, or of any part, if there is none or it fails to load. */
export function ListingPicture(props: ListingPictureProps) {
  const { alt, group, sizes = cardSizes, first = false, main = false, fit, width = 220, height = 185 } = props
  const [broken, setBroken] = useState<readonly string[]>([])
  const src = [props.src, props.otherwise].find((source) => source && !broken.includes(source))
  if (!src) return <GroupDrawing group={group} />
  const fail = () => setBroken((before) => [...before, src])
  return (
    <img
      // A picture in the server's HTML may have failed before this script ran.
      ref={(img) => {
        if (img?.complete && img.naturalWidth === 0 && img.currentSrc !== '') fail()
      }}
      alt={alt}
      width={width}
      height={height}
      loading={first || main ? 'eager' : 'lazy'}
      {...(main && { fetchPriority: 'high' })}
      decoding="async"
      // A local file (blob:) has only one size.
      {...(src.startsWith('/api/') && { sizes, srcSet: srcSetOf(src) })}
      src={src}
      className={classes.picture}
      {...(fit && { style: { objectFit: fit } })}
      onError={fail}
    />
  )
}

const files = import.meta.glob<string>('../../../db/data/drawings/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
})

const addresses = new Map(
  Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1, -'.svg'.length), url]),
)

/** The drawing for a category without a group. */
const GENERAL = 'part'

/** "Bumpers & Grilles" becomes "bumpers-grilles". */
const keyOf = (group: string) => group.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/**
 * Replaces a missing picture; decorative, so hidden from screen readers. Referenced instead of inlined, a drawing adds 100
 * bytes to a page instead of 3 kB, and still follows the color scheme.
 */
export function GroupDrawing({ group }: { group: string | null }) {
  const url = addresses.get(keyOf(group ?? GENERAL)) ?? addresses.get(GENERAL)
  return (
    <svg className={classes.ground} viewBox="0 0 440 370" aria-hidden="true">
      <use href={`${url}#drawing`} />
    </svg>
  )
}
