import { IconScale, IconShare } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { Listing } from '#contract/listings.ts'
import { noteSeen } from '#web/api/garage/garage.ts'
import { Button } from '#web/site/button.tsx'
import { showMessage } from '#web/site/frame/messages.tsx'
import classes from './garage.module.css'
import { Heart, useKept } from './part-buttons.tsx'

/** Save, Compare and Share on the part's own page, which also counts as viewed. */
export function PageButtons({ part }: { part: Listing }) {
  const { title, isSaved, isCompared, save, compare } = useKept(part)
  const isPublic = part.status === 'ACTIVE'
  const { id } = part
  useEffect(() => {
    if (isPublic) noteSeen({ id, title })
  }, [isPublic, id, title])
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
      <Button onClick={() => void share(title)}>
        <IconShare size={18} aria-hidden />
        Share
      </Button>
    </div>
  )
}

/** Opens the device's share sheet, or copies the address where there is none. */
async function share(title: string): Promise<void> {
  const url = window.location.origin + window.location.pathname
  try {
    if ('share' in navigator) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    showMessage('Link copied')
  } catch (error) {
    const isCanceled = error instanceof DOMException && error.name === 'AbortError'
    if (!isCanceled) showMessage(`Copy the address of this page: ${url}`)
  }
}
