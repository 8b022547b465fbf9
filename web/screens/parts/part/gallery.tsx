import { IconMaximize } from '@tabler/icons-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import { useLazily } from '#web/site/use-lazily.ts'
import classes from './gallery.module.css'
import { idOf, type Picture, Strip, Turn, turnByKey, turnTo } from './picture-strip.tsx'

/** The `sizes` of the page's pictures: as wide as the column. */
const frameSizes = '(max-width: 48em) 100vw, 700px'

/**
 * The pictures of a part: a strip to swipe, which shows one at a time, and a row of thumbnails. Without script both are links,
 * to a place in the strip and to the picture itself. The code for full screen is loaded on demand.
 */
export function Gallery({ listing }: { listing: Listing }) {
  const pictures: readonly Picture[] = listing.images
  const strip = useRef<HTMLUListElement>(null)
  const thumbs = useRef<HTMLOListElement>(null)
  const [at, setAt] = useState(0)
  useEffect(() => follow(thumbs.current, at), [at])
  const [fullScreen, load] = useLazily(() => import('./full-screen.tsx'))
  const [opened, setOpened] = useState<number>()
  const open = async (event: MouseEvent<HTMLAnchorElement>, place: number) => {
    if (isForNewTab(event)) return
    event.preventDefault()
    setOpened(place)
    const { href } = event.currentTarget
    // If that fails, follow the link, as without script.
    if (!(await load())) window.location.assign(href)
  }
  const many = pictures.length > 1
  return (
    <section aria-label="Pictures" className={classes.gallery}>
      <div className={classes.frame}>
        {pictures.length === 0 ? (
          <ListingPicture src={null} alt="" group={listing.categoryGroup} />
        ) : (
          <Strip
            ref={strip}
            pictures={pictures}
            at={at}
            sizes={frameSizes}
            hasAddresses
            onShown={setAt}
            onPress={(event, place) => void open(event, place)}
          />
        )}
        {many && <Turn strip={strip} at={at} count={pictures.length} />}
        {pictures.length > 0 && (
          <span className={classes.place} aria-hidden="true">
            <IconMaximize size={16} stroke={1.8} /> {many && `${at + 1} / ${pictures.length}`}
          </span>
        )}
      </div>
      {many && (
        <ol
          ref={thumbs}
          className={classes.thumbs}
          aria-label="Choose a picture"
          onKeyDown={(event) => turnByKey(strip, event)}
        >
          {pictures.map((picture, place) => (
            <li key={picture.id}>
              <a
                href={`#${idOf(place)}`}
                aria-label={`Picture ${place + 1}`}
                aria-current={place === at}
                {...(place !== at && { tabIndex: -1 })}
                onClick={(event) => {
                  event.preventDefault()
                  turnTo(strip, place)
                }}
              >
                <ListingPicture src={picture.url} alt="" group={listing.categoryGroup} sizes="72px" />
              </a>
            </li>
          ))}
        </ol>
      )}
      {fullScreen && opened !== undefined && (
        <fullScreen.FullScreen pictures={pictures} first={opened} onClose={() => setOpened(undefined)} />
      )}
    </section>
  )
}

/** Scrolls the visible picture's thumbnail into view, and moves the focus with it. */
function follow(thumbs: HTMLOListElement | null, at: number): void {
  const thumb = thumbs?.children[at]
  if (!(thumbs && thumb instanceof HTMLElement)) return
  if (thumbs.contains(document.activeElement)) thumb.querySelector('a')?.focus({ preventScroll: true })
  thumbs.scrollTo({ left: thumb.offsetLeft - (thumbs.clientWidth - thumb.clientWidth) / 2 })
}

const isForNewTab = ({ metaKey, ctrlKey, shiftKey }: MouseEvent) => metaKey || ctrlKey || shiftKey

/** Explains the numbers in the pictures, each with a link to its picture. */
export function Damage({ listing }: { listing: Listing }) {
  const pictures: readonly Picture[] = listing.images
  const marks = pictures.flatMap(({ marks }, place) => marks.map(({ note }) => ({ note, place })))
  if (marks.length === 0) return null
  return (
    <div className={classes.damage}>
      <h3 id="damage">Marked in the pictures</h3>
      <ol aria-labelledby="damage">
        {marks.map(({ note, place }, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a mark has nothing else that is its own
          <li key={number}>
            {note}{' '}
            {pictures.length > 1 && (
              <a href={`#${idOf(place)}`} aria-label={`Show picture ${place + 1}`}>
                Picture {place + 1}
              </a>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
