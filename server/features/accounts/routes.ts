import type { accountEndpoints } from '#contract/accounts.ts'
import type { Db } from '#server/platform/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import type { Caller } from './caller.ts'
import { presentUser } from './present-user.ts'
import { getProfile } from './queries.ts'
import { registerAccount } from './register-account.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { updateProfile } from './update-profile.ts'

type Deps = { db: Db; now: () => Date; productName: string }

export function accountRoutes(deps: Deps): Handlers<typeof accountEndpoints> {
  return {
    register: async (request) => {
      const write = await registerAccount(deps, await request.body(), callerOf(request))
      return async (db) => {
        await write(db)
        return { ok: true }
      }
    },
    login: async (request) => signIn(deps, await request.body(), callerOf(request)),
    logout: async (request) => {
      await signOut(request.db, request.actor, callerOf(request))
      return { ok: true }
    },
    authCheck: async () => ({ ok: true }),
    adminCheck: async () => ({ ok: true }),
    profile: async ({ actor }) => presentUser(await getProfile(deps.db, actor.userId)),
    updateProfile: async (request) => {
      const asked = { changes: await request.body(), caller: callerOf(request) }
      return updateProfile(deps, request.actor, asked)
    },
  }
}

function callerOf({ ip, requestId }: Caller): Caller {
  return { ip, requestId }
}
