import { lazy, Suspense, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import classes from './listing-picture.module.css'

type ListingPictureProps = {
  src: string | null
  /** What is shown where `src` cannot be; where that cannot be either, the drawing is. */
  otherwise?: string | undefined
  alt: string
  group: Listing['categoryGroup']
  /** How wide it is shown, as in <img sizes>; a card unless it says otherwise. */
  sizes?: string
  /** The picture that decides how fast the page looks finished is fetched at once, others as they come near. */
  first?: boolean
  /** Where it differs from what the frame around it says in --picture-fit. */
  fit?: 'cover' | 'contain'
}

const cardSizes = '(max-width: 36em) 100vw, (max-width: 62em) 50vw, 300px'

/** The widths that the server keeps beside the picture itself, which is 1600 pixels wide at most. */
function srcSetOf(src: string): string {
  const sized = `${src}${src.includes('?') ? '&' : '?'}width=`
  return `${sized}440 440w, ${sized}900 900w, ${src} 1600w`
}

/** The listing's picture, or the drawing of its group where there is none or it cannot be shown. */
export function ListingPicture(props: ListingPictureProps) {
  const { alt, group, sizes = cardSizes, first = false, fit } = props
  const [broken, setBroken] = useState<readonly string[]>([])
  const src = [props.src, props.otherwise].find((source) => source && !broken.includes(source))
  if (!src) return <GroupDrawing group={group} />
  return (
    <img
      src={src}
      // A file of this device (blob:) has one size.
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

// The drawings weigh as much as a small picture: they come after the page, and a page without them still stands.
const DrawnGroup = lazy(async () => {
  try {
    return { default: (await import('./drawn-group.tsx')).DrawnGroup }
  } catch {
    return { default: Ground }
  }
})

/** Stands in for a missing picture; says nothing that the text beside it does not say. */
export function GroupDrawing({ group }: { group: string | null }) {
  if (group === null) return <Ground />
  return (
    <Suspense fallback={<Ground />}>
      <DrawnGroup group={group} />
    </Suspense>
  )
}
