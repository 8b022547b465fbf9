import { queryClient } from '#web/api/query-client.ts'

/** Where the browser did not leave after all (the person stayed with unsaved changes), the page comes alive again. */
const stayedAfterMs = 10_000

/**
 * Leaves for a page of the provider. Resolves when this page is in sight again: what is waited for here stays busy
 * until the browser has gone, and is not found busy when it comes back.
 */
export async function leaveFor(url: string): Promise<void> {
  if (!isWebAddress(url)) throw new TypeError('Not an address of the web')
  const back = shownAgain()
  window.location.assign(url)
  await back
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol)
}

function shownAgain(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      window.removeEventListener('pageshow', fromHistory)
      resolve()
    }
    const timer = setTimeout(end, stayedAfterMs)
    // A page brought back by Back stands as it was left; what happened at the provider meanwhile is read anew.
    const fromHistory = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      clearTimeout(timer)
      void queryClient.invalidateQueries({ queryKey: ['profile'] })
      end()
    }
    window.addEventListener('pageshow', fromHistory)
  })
}
