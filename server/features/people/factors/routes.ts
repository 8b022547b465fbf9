import type { factorEndpoints } from '#contract/account/accounts.ts'
import { withDeviceCookie } from '#server/features/people/accounts/known-devices.ts'
import { callerOf } from '#server/features/people/accounts/sessions.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import {
  addPasskey,
  addTotp,
  type FactorDeps,
  listFactors,
  newRecoveryCodes,
  removeFactor,
  startPasskey,
  startTotp,
} from './factors.ts'
import { countRecoveryCodes } from './recovery-codes.ts'
import { finishSignIn, reauth, startPasskeyLogin, startReauth } from './second-step.ts'

type Deps = FactorDeps & {
  /** Whether administrators need a second step for admin calls. */
  adminsNeedFactor: boolean
}

export function factorRoutes(deps: Deps): Handlers<typeof factorEndpoints> {
  return {
    loginFactor: async (request) => {
      const caller = { ...callerOf(request), cookie: request.headers.cookie?.toString() }
      return withDeviceCookie(request, await finishSignIn(deps, await request.body(), caller))
    },
    startPasskeyLogin: async () => startPasskeyLogin(deps),
    listFactors: async ({ db, actor }) => ({
      items: await listFactors(db, actor.userId),
      recoveryCodesLeft: await countRecoveryCodes(db, actor.userId),
      required: deps.adminsNeedFactor && (actor.role === 1 || actor.lacksFactor),
      passkeysAt: deps.site?.origin ?? null,
    }),
    startPasskey: async ({ actor }) => startPasskey(deps, actor),
    addPasskey: async (request) =>
      addPasskey(deps, request.actor, { ...(await request.body()), caller: callerOf(request) }),
    startTotp: async ({ actor }) => startTotp(deps, actor),
    addTotp: async (request) =>
      addTotp(deps, request.actor, { ...(await request.body()), caller: callerOf(request) }),
    removeFactor: async (request) => {
      await removeFactor(deps, request.actor, { id: request.params.id, caller: callerOf(request) })
      return { ok: true }
    },
    replaceRecoveryCodes: async (request) => ({
      recoveryCodes: await newRecoveryCodes(deps, request.actor, callerOf(request)),
    }),
    startReauth: async ({ actor }) => startReauth(deps, actor),
    reauth: async (request) => {
      await reauth(deps, request.actor, { sent: await request.body(), caller: callerOf(request) })
      return { ok: true }
    },
  }
}
