import { Breadcrumbs, Container, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useProductName } from '#web/api/site.ts'
import { TextLink } from '#web/components/links.tsx'
import classes from './page.module.css'

const widths = { narrow: '28rem', text: '46rem', wide: '78rem', full: '120rem' }

type PageProps = {
  /** The page's name: in the browser tab, and as the heading unless `heading` replaces it. */
  title: string
  heading?: ReactNode
  lead?: ReactNode
  /** Beside the heading, such as "87 product(s) found". */
  aside?: ReactNode
  actions?: ReactNode
  width?: keyof typeof widths
  /** A list, which begins as high up as possible on a phone: the buttons are next to the heading, as icons only. */
  compact?: boolean
  children?: ReactNode
}

/** A page below the navigation: tab title, h1, actions, content. */
export function Page({
  title,
  heading,
  lead,
  aside,
  actions,
  width = 'wide',
  compact = false,
  children,
}: PageProps) {
  usePageTitle(title)
  return (
    <Container size={widths[width]} className={classes.page} data-compact={compact || undefined} w="100%">
      <header className={classes.head}>
        <Stack gap={4}>
          <Group gap="sm" align="baseline">
            <Title order={1}>{heading ?? title}</Title>
            {aside}
          </Group>
          {lead !== undefined && <Text className="second">{lead}</Text>}
        </Stack>
        {actions !== undefined && (
          <Group gap="sm" className={classes.actions}>
            {actions}
          </Group>
        )}
      </header>
      {children}
    </Container>
  )
}

type TrailProps = { links: { to: string; label: string }[]; here: string }

/** Links to the pages above this one. */
export function Trail({ links, here }: TrailProps) {
  return (
    <nav aria-label="Breadcrumbs">
      <Breadcrumbs mb="lg" className={classes.trail}>
        {links.map(({ to, label }) => (
          <TextLink key={to} to={to}>
            {label}
          </TextLink>
        ))}
        <Text component="span" truncate maw="24rem" lh="1.5" aria-current="page">
          {here}
        </Text>
      </Breadcrumbs>
    </nav>
  )
}

/** Sets "Page name | Product name" as the tab title; for pages with their own heading. */
export function usePageTitle(title: string): void {
  const product = useProductName()
  useEffect(() => {
    document.title = `${title} | ${product}`
  }, [title, product])
}
