import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { GroupDrawing } from './group-drawing.tsx'
import classes from './listing-picture.module.css'

type ListingPictureProps = {
  src: string | null
  alt: string
  group: Listing['categoryGroup']
  /** The picture that decides how fast the page looks finished is fetched at once, others as they come near. */
  first?: boolean
  fit?: 'cover' | 'contain'
}

/** The listing's picture, or the drawing of its group where there is none or it cannot be shown. */
export function ListingPicture({ src, alt, group, first = false, fit = 'cover' }: ListingPictureProps) {
  const [broken, setBroken] = useState<string>()
  if (src === null || src === broken) return <GroupDrawing group={group} />
  return (
    <img
      src={src}
      alt={alt}
      width={220}
      height={185}
      loading={first ? 'eager' : 'lazy'}
      decoding="async"
      className={classes.picture}
      style={{ objectFit: fit }}
      onError={() => setBroken(src)}
    />
  )
}
