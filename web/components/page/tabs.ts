import { type RefObject, useEffect, useRef } from 'react'

/** For a bar that may be wider than the screen: the tab of the place where one is (`place`) comes into sight. */
export function useCurrentInSight(place: string): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place has another current tab
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (bar.current && current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft
  }, [place])
  return bar
}
