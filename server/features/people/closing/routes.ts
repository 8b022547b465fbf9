import type { closingEndpoints } from '#contract/account/accounts.ts'
import type { Letterhead } from '#server/features/people/accounts/account-mails.ts'
import { callerOf } from '#server/features/people/accounts/sessions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { closeAccount } from './close-account.ts'

type Deps = { db: Db; now: () => Date; letterhead: Letterhead }

export function closingRoutes(deps: Deps): Handlers<typeof closingEndpoints> {
  return {
    async closeAccount(request) {
      const eraseAfter = await closeAccount(deps, request.actor, callerOf(request))
      return { eraseAfter: eraseAfter.toISOString() }
    },
  }
}
