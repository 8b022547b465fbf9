import { IconHeart, IconHeartFilled, IconScale } from '@tabler/icons-react'
import type { Listing } from '#contract/listings.ts'
import { MOST_COMPARED, MOST_SAVED } from '#contract/pages/garage-limits.ts'
import type { PartCard } from '#contract/pages/public-pages.ts'
import { isIn, toggleCompared, toggleSaved, useGarage } from '#web/api/garage/garage.ts'
import { titleOf } from '#web/site/card/listing-words.ts'
import { showMessage } from '#web/site/frame/messages.tsx'
import classes from './garage.module.css'

/** Whether a part is saved and compared, and how to change that. */
export function useKept(part: PartCard | Listing) {
  const { saved, compared } = useGarage()
  const kept = { id: part.id, title: titleOf(part) }
  return {
    title: kept.title,
    isSaved: isIn(saved, kept),
    isCompared: isIn(compared, kept),
    save() {
      if (!toggleSaved(kept))
        showMessage(`You have ${MOST_SAVED} saved parts. Remove some in your garage first.`)
    },
    compare() {
      if (!toggleCompared(kept)) showMessage(`You can compare ${MOST_COMPARED} parts. Remove one first.`)
    },
  }
}

export const Heart = ({ filled, size }: { filled: boolean; size: number }) =>
  filled ? (
    <IconHeartFilled size={size} aria-hidden className={classes.heart} />
  ) : (
    <IconHeart size={size} aria-hidden />
  )

/** Save and Compare on a card. */
export function CardButtons({ part }: { part: PartCard }) {
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
