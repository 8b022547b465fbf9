import pRetry from 'p-retry'
import type { User } from '#contract/accounts.ts'
import type { Db } from '#server/platform/database/database.ts'
import { openProSeller } from '#tests/support/import-client.ts'

/** What a browser keeps of somebody who signed in. */
export type SignedIn = { readonly token: string; readonly user: User }

/** A new Pro seller whose imports go live by themselves. A connection of the last seed that is gone is tried again. */
export async function openWizardSeller(address: string, db: Db): Promise<SignedIn> {
  const { token } = await pRetry(() => openProSeller(address, db), { retries: 5 })
  const response = await fetch(`${address}/api/profile/me`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`the profile was answered ${response.status}: ${await response.text()}`)
  const user = (await response.json()) as User
  return { token, user }
}
