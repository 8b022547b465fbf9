/** The origin of a server on this host and port; a host as Node takes it, so an IPv6 address gets its brackets here. */
export function httpOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The host of an address, as Node takes it: an IPv6 one without its brackets. */
export const hostIn = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
