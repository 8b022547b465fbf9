import { type LinkProps, Link as RouterLink } from 'react-router'

type SiteLinkProps = Omit<LinkProps, 'to'> & {
  /** A path of this site, with its query. */
  to: string
}

/** What the router's link is before a script comes. */
const PlainLink = ({ to, preventScrollReset: _, ...anchor }: SiteLinkProps) => <a {...anchor} href={to} />

/** Without a mark for the framework's server, which is not ours. */
const LivingLink = (link: SiteLinkProps) => <RouterLink discover="none" {...link} />

/** A link to a page of this site. On the server the router's own is half of the time that a card takes. */
export const Link = import.meta.env.SSR ? PlainLink : LivingLink
