import { Anchor, Stack, Title } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router'
import type { LandingKind, LandingPage } from '#contract/landing.ts'
import { landingPath } from '#contract/landing-paths.ts'
import classes from './landing.module.css'

type TopNamesProps = { title: string; kind: LandingKind; names: LandingPage['topModels'] }

/** What a page has most of, as links where those have pages. */
export function TopNames({ title, kind, names }: TopNamesProps) {
  const id = useId()
  if (names.length === 0) return null
  return (
    <Stack component="section" aria-labelledby={id} gap="xs">
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      <ul className={classes.top}>
        {names.map(({ name, slug, count }) => (
          <li key={name}>
            {slug === null ? (
              name
            ) : (
              <Anchor component={Link} to={landingPath(kind, slug)}>
                {name}
              </Anchor>
            )}{' '}
            <span className={classes.count}>{count.toLocaleString('en-US')}</span>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
