import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

type ListingAddress = {
  /** Of the address that was opened. */
  slug: string
  /** Of the listing that it led to, once that is read. */
  current: string | undefined
  pathOf: (slug: string) => string
}

/** An earlier address of a listing leads to its form too; the bar then shows the one that counts. */
export function useCurrentAddress({ slug, current, pathOf }: ListingAddress): void {
  const navigate = useNavigate()
  const { search, state } = useLocation()
  useEffect(() => {
    if (current !== undefined && current !== slug) {
      void navigate({ pathname: pathOf(current), search }, { replace: true, state })
    }
  }, [slug, current, pathOf, search, state, navigate])
}
