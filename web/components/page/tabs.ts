import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls a tab bar wider than the screen to the current tab whenever `place` changes. */
export function useScrollToCurrent(place: string): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab depends on the place
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (bar.current && current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft
  }, [place])
  return bar
}
