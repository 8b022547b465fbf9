import { Anchor, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { landingEndpoints, type PageLink } from '#contract/landing.ts'
import { landingPath } from '#contract/landing-addresses.ts'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { paths } from '#web/paths.ts'
import classes from './landing.module.css'

export function Related({ listing: { partslug: slug, status } }: { listing: Listing }) {
  const { data } = useQuery({
    queryKey: ['listing', 'related', slug],
    queryFn: ({ signal }) => call(landingEndpoints.readRelated, { params: { slug }, signal }),
    enabled: status === 'ACTIVE',
  })
  return data ? <RelatedLinks links={data} /> : null
}

export function RelatedLinks({ links }: { links: readonly PageLink[] }) {
  if (links.length === 0) return null
  return (
    <Stack component="nav" aria-labelledby="related" gap="sm">
      <Title order={2} id="related">
        Related
      </Title>
      <ul className={classes.links}>
        {links.map(({ kind, slug, anchor }) => (
          <li key={`${kind}/${slug}`}>
            <Anchor component={Link} to={kind === 'listing' ? paths.part(slug) : landingPath(kind, slug)}>
              {anchor}
            </Anchor>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
