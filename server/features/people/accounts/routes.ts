import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type accountEndpoints, linkToken } from '#contract/account/accounts.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import { openProxyWatch } from '#server/platform/net/proxy-watch.ts'
import type { Letterhead } from './account-mails.ts'
import {
  cancelEmailChange,
  checkAddressLink,
  confirmAddress,
  mailLinkAgain,
  type RestoreDeps,
  restoreAddress,
} from './email/address-links.ts'
import { type UnsubscribeDeps, unsubscribe } from './email/unsubscribe.ts'
import { rememberMailbox, withDeviceCookie } from './known-devices.ts'
import { getProfile, presentUser } from './persons.ts'
import { updateProfile } from './profile.ts'
import { type ConfirmationPolicy, registerAccount } from './registration.ts'
import { checkPasswordLink, requestPasswordReset, resetPassword } from './reset.ts'
import {
  callerOf,
  type EndTokens,
  endAllSessions,
  endSession,
  listSessions,
  presentSession,
  signOut,
} from './sessions.ts'
import { type SignInDeps, signIn, signInByLink } from './sign-in.ts'
import { requestSignInLink } from './sign-in-links.ts'

type Deps = Omit<SignInDeps, 'proxies'> &
  RestoreDeps &
  UnsubscribeDeps & { letterhead: Letterhead; confirming: ConfirmationPolicy; endTokens: EndTokens }
type Routes = Handlers<typeof accountEndpoints>

export function accountRoutes(deps: Deps): Routes {
  const proxies = openProxyWatch(deps.log, deps.now)
  const openedMailOn = mailboxesOf(deps)
  return {
    ...addressRoutes(deps),
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
    requestSignInLink: async (request) => {
      const { email } = await request.body()
      await requestSignInLink(deps.db, email, callerOf(request))
      return { ok: true }
    },
    useSignInLink: async (request) => {
      const { token } = await request.body()
      const signedIn = withDeviceCookie(request, await signInByLink(deps, token, callerOf(request)))
      if ('user' in signedIn) await openedMailOn(request, signedIn.user.email)
      return signedIn
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
    requestPasswordReset: async (request) => {
      const { email } = await request.body()
      await requestPasswordReset(deps.db, email, callerOf(request))
      return { ok: true }
    },
    checkPasswordLink: async (request) => {
      await checkPasswordLink(deps, (await request.body()).token)
      return { ok: true }
    },
    resetPassword: async (request) => {
      await openedMailOn(request, await resetPassword(deps, await request.body(), callerOf(request)))
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
      await endAllSessions(deps, request.actor, callerOf(request))
      return { ok: true }
    },
  }
}

/** Remembers the browsers that opened a link in our email to an address. */
const mailboxesOf =
  ({ letterhead: { publicUrl }, now }: Pick<Deps, 'letterhead' | 'now'>) =>
  (request: Parameters<typeof rememberMailbox>[0], email: string): Promise<void> =>
    rememberMailbox(request, { email, publicUrl, now: now() })

/** The calls behind the links in our emails. */
function addressRoutes(
  deps: Deps,
): Pick<
  Routes,
  | 'checkAddressLink'
  | 'confirmAddress'
  | 'restoreAddress'
  | 'mailAddressLink'
  | 'cancelEmailChange'
  | 'unsubscribe'
> {
  const openedMailOn = mailboxesOf(deps)
  return {
    checkAddressLink: async (request) => checkAddressLink(request.db, deps, (await request.body()).token),
    confirmAddress: async (request) => {
      const { token } = await request.body()
      const email = await confirmAddress(request.db, deps, { token, caller: callerOf(request) })
      await openedMailOn(request, email)
      return { ok: true, email }
    },
    restoreAddress: async (request) => {
      const { token } = await request.body()
      const restored = await restoreAddress(request.db, deps, { token, caller: callerOf(request) })
      await openedMailOn(request, restored.email)
      return { ok: true, ...restored }
    },
    mailAddressLink: async ({ db, actor, ip }) => {
      await mailLinkAgain(db, deps, { userId: actor.userId, ip })
      return { ok: true }
    },
    cancelEmailChange: async ({ db, actor }) => {
      await cancelEmailChange(db, actor)
      return presentUser(await getProfile(db, actor.userId))
    },
    unsubscribe: async ({ body }) => ({ ok: true, kind: await unsubscribe(deps, (await body()).token) }),
  }
}

/**
 * One-click unsubscribe for mail programs (RFC 8058). A GET shows a page with a button instead, because mail scanners
 * open links, too.
 */
export async function serveUnsubscribe(
  app: FastifyInstance,
  { publicUrl, ...deps }: UnsubscribeDeps & { publicUrl: string },
): Promise<void> {
  const tokenOf = ({ params }: FastifyRequest) => linkToken.safeParse((params as { token?: string }).token)
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.route({
      ...otherRoute('unsubscribeNow'),
      bodyLimit: ONE_CLICK_BYTES,
      handler: async (request) => {
        await unsubscribe(deps, tokenOf(request).data ?? '')
        return { ok: true }
      },
    })
    scope.route({
      ...otherRoute('unsubscribePage'),
      handler: async (request, reply) =>
        reply.redirect(`${publicUrl}/unsubscribe#${encodeURIComponent(tokenOf(request).data ?? '')}`),
    })
    done()
  })
}

// The body is "List-Unsubscribe=One-Click", URL-encoded or multipart.
const ONE_CLICK_BYTES = 4_096
