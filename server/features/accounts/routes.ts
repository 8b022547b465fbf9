import type { accountEndpoints } from '#contract/accounts.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { openProxyWatch } from '#server/platform/net/proxy-watch.ts'
import type { Letterhead } from './account-mails.ts'
import { withDeviceCookie } from './known-devices.ts'
import { getProfile, presentUser } from './persons.ts'
import { updateProfile } from './profile.ts'
import { registerAccount } from './registration.ts'
import { askPasswordReset, checkPasswordLink, resetPassword } from './reset.ts'
import { callerOf, endAllSessions, endSession, listSessions, presentSession, signOut } from './sessions.ts'
import { type SignInDeps, signIn, signInByLink } from './sign-in.ts'
import { askSignInLink } from './sign-in-links.ts'

type Deps = Omit<SignInDeps, 'proxies'> & { letterhead: Letterhead }

export function accountRoutes(deps: Deps): Handlers<typeof accountEndpoints> {
  const proxies = openProxyWatch(deps.log, deps.now)
  return {
    register: async (request) => {
      const write = await registerAccount(deps, await request.body(), callerOf(request))
      return async (db) => {
        await write(db)
        return { ok: true }
      }
    },
    login: async (request) => {
      const { cookie, 'x-forwarded-for': forwardedFor } = request.headers
      const caller = {
        ...callerOf(request),
        cookie: cookie?.toString(),
        forwardedFor: forwardedFor?.toString(),
      }
      return withDeviceCookie(request, await signIn({ ...deps, proxies }, await request.body(), caller))
    },
    askSignInLink: async (request) => {
      const { email } = await request.body()
      await askSignInLink(deps.db, email, callerOf(request))
      return { ok: true }
    },
    useSignInLink: async (request) => {
      const { token } = await request.body()
      return withDeviceCookie(request, await signInByLink(deps, token, callerOf(request)))
    },
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
    askPasswordReset: async (request) => {
      const { email } = await request.body()
      await askPasswordReset(deps.db, email, callerOf(request))
      return { ok: true }
    },
    checkPasswordLink: async (request) => {
      await checkPasswordLink(deps, (await request.body()).token)
      return { ok: true }
    },
    resetPassword: async (request) => {
      await resetPassword(deps, await request.body(), callerOf(request))
      return { ok: true }
    },
    listSessions: async ({ actor }) => {
      const rows = await listSessions(deps.db, actor.userId, deps.now())
      return { items: rows.map((row) => presentSession(row, actor)) }
    },
    endSession: async (request) => {
      const asked = { sessionId: request.params.id, caller: callerOf(request) }
      await endSession(deps.db, request.actor, asked)
      return { ok: true }
    },
    endAllSessions: async (request) => {
      await endAllSessions(deps.db, request.actor, callerOf(request))
      return { ok: true }
    },
  }
}
