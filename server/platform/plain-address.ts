import { isIP } from 'node:net'

/** An address as a column of type inet takes it: without the zone of a link-local one (`fe80::1%eth0`). */
export function plainAddress(ip: string | undefined): string | null {
  const address = ip?.split('%')[0] ?? ''
  return isIP(address) === 0 ? null : address
}
