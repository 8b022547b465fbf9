import { type LinkProps, Link as RouterLink } from 'react-router'

type SiteLinkProps = Omit<LinkProps, 'to'> & {
  /** A path of this site, with its query. */
  to: string
}

/** What the router's link renders on the server. */
const PlainLink = ({ to, preventScrollReset: _, ...anchor }: SiteLinkProps) => <a {...anchor} href={to} />

/** Without the `discover` mark, which is for the framework's own server. */
const ClientLink = (link: SiteLinkProps) => <RouterLink discover="none" {...link} />

/** A link to a page of this site. On the server, the router's own would take half of a card's rendering time. */
export const Link = import.meta.env.SSR ? PlainLink : ClientLink
