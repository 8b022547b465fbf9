import type { Log } from '#server/platform/log.ts'

type Sender = { ip: string; forwardedFor: string | undefined }

/** Detects a reverse proxy missing from `TRUSTED_PROXIES`, whose users all count as one address. */
export type ProxyWatch = {
  note(sender: Sender): void
  /** Returns a log hint, when an address is locked out, that it may be a proxy; undefined without the header. */
  hintFor(ip: string, forwardedFor: string | undefined): string | undefined
}

// A company's outgoing proxy sends the header, too, but a reverse proxy sends it for many people.
const LEAST_SIGN_INS = 10
const LEAST_ADDRESSES = 3
const TELL_EVERY_MS = 60 * 60_000
// Anyone can send the header from many addresses; only busy ones matter.
const MAX_WATCHED = 1_000

type Seen = { signIns: number; addresses: Set<string>; toldAt: number }

const isProxy = ({ signIns, addresses }: Seen) =>
  signIns >= LEAST_SIGN_INS && addresses.size >= LEAST_ADDRESSES

export function openProxyWatch(log: Log, now: () => Date): ProxyWatch {
  const watched = new Map<string, Seen>()
  return {
    note({ ip, forwardedFor }) {
      const addresses = ignoredAddresses(ip, forwardedFor)
      if (addresses.length === 0) return
      const seen = watched.get(ip) ?? { signIns: 0, addresses: new Set(), toldAt: Number.NEGATIVE_INFINITY }
      if (!watched.has(ip) && watched.size >= MAX_WATCHED) watched.delete(watched.keys().next().value ?? '')
      watched.set(ip, seen)
      seen.signIns += 1
      // The first address is the visitor as the proxy saw it.
      if (seen.addresses.size < LEAST_ADDRESSES) seen.addresses.add(addresses[0] ?? '')
      const at = now().getTime()
      if (!isProxy(seen) || at - seen.toldAt < TELL_EVERY_MS) return
      seen.toldAt = at
      log.warn({ ip }, `sign-ins of many visitors come from one address: ${advice(ip)}`)
    },
    hintFor: (ip, forwardedFor) => (ignoredAddresses(ip, forwardedFor).length > 0 ? advice(ip) : undefined),
  }
}

const advice = (ip: string) =>
  `it sends X-Forwarded-For, which is ignored because TRUSTED_PROXIES does not name it. If ${ip} is your reverse proxy, add it, or its visitors are limited as one`

/** The header's addresses, if it was ignored: if it was used, the caller's address is one of them. */
function ignoredAddresses(ip: string, forwardedFor: string | undefined): string[] {
  const addresses = (forwardedFor ?? '').split(',').map((address) => address.trim())
  return addresses.includes(ip) || addresses[0] === '' ? [] : addresses
}
