import { IconHeart, IconHeartFilled, IconScale, IconShare } from '@tabler/icons-react'
import { type Dispatch, type SetStateAction, use, useEffect } from 'react'
import { useLocation } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { MAX_COMPARED, MAX_SAVED } from '#contract/pages/garage-limits.ts'
import type { PartCard } from '#contract/pages/public-pages.ts'
import { readText } from '#web/api/browser-storage.ts'
import { isIn, noteSeen, toggleCompared, toggleSaved, useGarage } from '#web/api/garage/garage.ts'
import { Button } from '#web/site/button.tsx'
import { type BuyerToolSet, BuyerTools } from '#web/site/buyer-tool.tsx'
import { titleOf } from '#web/site/card/listing-words.ts'
import classes from '#web/site/card/part-card.module.css'
import { showMessage } from '#web/site/frame/messages.tsx'

/* The buttons that every visitor sees: with the garage's storage, a file of the build of its own. */

/** Whether a part is saved and compared, and how to change that. */
function useKept(part: PartCard | Listing) {
  const { saved, compared } = useGarage()
  const kept = { id: part.id, title: titleOf(part) }
  return {
    title: kept.title,
    isSaved: isIn(saved, kept),
    isCompared: isIn(compared, kept),
    save() {
      if (!toggleSaved(kept))
        showMessage(`You have ${MAX_SAVED} saved parts. Remove some in your garage first.`)
    },
    compare() {
      if (!toggleCompared(kept)) showMessage(`You can compare ${MAX_COMPARED} parts. Remove one first.`)
    },
  }
}

const Heart = ({ filled, size }: { filled: boolean; size: number }) =>
  filled ? (
    <IconHeartFilled size={size} aria-hidden className={classes.heart} />
  ) : (
    <IconHeart size={size} aria-hidden />
  )

/** Save and Compare on a card. */
function CardButtons({ part }: { part: PartCard }) {
  const { title, isSaved, isCompared, save, compare } = useKept(part)
  return (
    <div className={classes.cardButtons}>
      <button type="button" aria-pressed={isSaved} aria-label={`Save ${title}`} title="Save" onClick={save}>
        <Heart filled={isSaved} size={20} />
      </button>
      <button
        type="button"
        aria-pressed={isCompared}
        aria-label={`Compare ${title}`}
        title="Compare"
        className={classes.compareButton}
        onClick={compare}
      >
        <IconScale size={20} aria-hidden />
      </button>
    </div>
  )
}

/** Save, Compare and Share on the part's own page, which also counts as viewed. */
function PageButtons({ part }: { part: Listing }) {
  const { title, isSaved, isCompared, save, compare } = useKept(part)
  const isPublic = part.status === 'ACTIVE'
  const { id } = part
  // All tools are loaded for visitors who do something; a tab that nobody looks at counts as nothing.
  const isSeen = use(BuyerTools).Everywhere !== undefined
  useEffect(() => {
    if (isPublic && isSeen) noteSeen({ id, title })
  }, [isPublic, isSeen, id, title])
  if (!isPublic) return null
  return (
    <div className={classes.pageButtons}>
      <Button aria-pressed={isSaved} onClick={save}>
        <Heart filled={isSaved} size={18} />
        Save
      </Button>
      <Button aria-pressed={isCompared} onClick={compare}>
        <IconScale size={18} aria-hidden />
        Compare
      </Button>
      <Button onClick={() => void share(title, window.location.pathname)}>
        <IconShare size={18} aria-hidden />
        Share
      </Button>
    </div>
  )
}

/** For a list, which is shared with its search and filters. */
function ShareButton() {
  const { pathname, search } = useLocation()
  return (
    <Button size="small" look="quiet" onClick={() => void share(document.title, pathname + search)}>
      <IconShare size={18} aria-hidden />
      Share
    </Button>
  )
}

/** Opens the device's share sheet, or copies the address where there is none. */
async function share(title: string, path: string): Promise<void> {
  const url = window.location.origin + path
  try {
    if (typeof navigator.share === 'function') return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    showMessage('Link copied')
  } catch (error) {
    const isCanceled = error instanceof DOMException && error.name === 'AbortError'
    if (!isCanceled) showMessage(`Copy the address of this page: ${url}`)
  }
}

const buttons = { CardButtons, PageButtons, ShareButton }

/**
 * Passes the buttons to the slots of buyer-tool.tsx. The other tools, 6 kB of script, follow for visitors who do something or
 * have a garage or an account.
 */
export async function showTools(
  show: Dispatch<SetStateAction<Partial<BuyerToolSet>>>,
  isActive: boolean,
): Promise<void> {
  show((before) => ({ ...buttons, ...before }))
  if (!isActive && (readText('garage') ?? readText('auth')) === null) return
  const { others } = await import('./buyer-tools.tsx')
  show({ ...buttons, ...others })
}
