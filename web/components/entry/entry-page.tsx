import { Card, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from '#web/components/page/page.tsx'
import classes from './entry-page.module.css'

type EntryPageProps = {
  title: string
  heading: string
  lead: ReactNode
  children: ReactNode
  /** Below the card, such as the link from login to registration. */
  below: ReactNode
  isForBuyers?: boolean
}

const buyersReasons = [
  { title: 'Your orders', text: 'See on every device what was found, shipped or refunded.' },
  { title: 'Your garage', text: 'Save your vehicles, and see which parts fit them.' },
  { title: 'Your searches', text: 'Get an email when the part you need is listed.' },
]

const reasons = [
  { title: 'No listing limit', text: 'The free plan costs $0 and has room for every part on your shelves.' },
  { title: 'Found by part number', text: 'Buyers search by words or numbers, with or without dashes.' },
  {
    title: 'Your name on it',
    text: 'Each part shows your yard and your town; buyers deal with you directly.',
  },
]

/** Login, registration, and similar pages: the form, and next to it what an account offers. */
export function EntryPage({ title, heading, lead, children, below, isForBuyers }: EntryPageProps) {
  usePageTitle(title)
  return (
    <div className={classes.entry}>
      <div className={classes.form}>
        <Stack gap="lg" w="100%" maw="26rem">
          <Stack gap={4}>
            <Title order={1}>{heading}</Title>
            <Text className="second">{lead}</Text>
          </Stack>
          <Card>{children}</Card>
          <Text>{below}</Text>
        </Stack>
      </div>
      <aside className={classes.reasons} aria-label="What an account gives you">
        <svg viewBox="0 0 240 240" className={classes.drawing} aria-hidden="true">
          <circle cx="120" cy="120" r="104" />
          <circle cx="120" cy="120" r="78" />
          <circle cx="120" cy="120" r="34" />
          <circle cx="120" cy="120" r="14" data-piece />
          <path d="M120 16v26M120 198v26M16 120h26M198 120h26M46.5 46.5l18.4 18.4M175.1 175.1l18.4 18.4M46.5 193.5l18.4-18.4M175.1 64.9l18.4-18.4" />
        </svg>
        <ul>
          {(isForBuyers ? buyersReasons : reasons).map((reason) => (
            <li key={reason.title}>
              <strong className="display">{reason.title}</strong>
              <span>{reason.text}</span>
            </li>
          ))}
        </ul>
      </aside>
    </div>
  )
}
