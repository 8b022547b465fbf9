import { currentSession } from '#web/api/session.ts'
import { showMessage } from '#web/site/frame/messages.tsx'
import { browserReads } from '#web/site/reads.ts'

/** Saves the search of the page at `address` for the signed-in person; if that fails, the page says why. */
export async function saveSearch(address: string): Promise<void> {
  const [, query = ''] = address.split('?')
  const { error } = await browserReads.send({ kind: 'search' }, { query, frequency: 'hourly' })
  if (error === undefined)
    showMessage(`Search saved. We will email new parts to ${currentSession().user?.email}.`)
  else window.location.assign(address)
}
