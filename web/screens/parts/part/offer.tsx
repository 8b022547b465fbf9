import { Anchor, Badge, Button, Card, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconCalendar, IconCheck, IconCopy, IconMapPin, IconPhone, IconTruck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import {
  fitmentOf,
  formatPrice,
  gradeInWords,
  placeOf,
  shippingInWords,
} from '#web/site/card/listing-words.ts'
import { longDate } from '#web/components/time-words.ts'
import classes from './part.module.css'

export function Offer({ listing }: { listing: Listing }) {
  const whereAndWho = [placeOf(listing), listing.dealername].filter(Boolean).join(' · ')
  return (
    <Card component="section" aria-label="Offer">
      <Stack gap="md">
        <Group gap="sm" align="center">
          <Text component="span" className={classes.price}>
            {formatPrice(listing.partprice, listing.currency)}
          </Text>
          {listing.partgrade && <Badge>{gradeInWords(listing.partgrade)}</Badge>}
        </Group>
        {listing.partnum && <PartNumber number={listing.partnum} />}
        <Text>
          <span className={classes.quiet}>From a</span> {fitmentOf(listing)}
        </Text>
        <Stack gap="xs" component="ul" className={classes.lines}>
          <Line icon={<IconTruck size={20} aria-hidden />}>{shippingInWords(listing)}</Line>
          {whereAndWho && <Line icon={<IconMapPin size={20} aria-hidden />}>{whereAndWho}</Line>}
          {[listing.dealerphone, listing.phoneb].filter(Boolean).map((phone) => (
            <Line key={phone} icon={<IconPhone size={20} aria-hidden />}>
              <Anchor href={`tel:${phone}`}>{phone}</Anchor>
            </Line>
          ))}
          <Line icon={<IconCalendar size={20} aria-hidden />}>
            Listed <time dateTime={listing.createdAt}>{longDate(listing.createdAt)}</time>
          </Line>
        </Stack>
      </Stack>
    </Card>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className={classes.line}>
      {icon}
      <span>{children}</span>
    </li>
  )
}

function PartNumber({ number }: { number: string }) {
  return (
    <Group gap="sm">
      <Text component="span" className={classes.number}>
        <span className={classes.quiet}>Part #</span> {number}
      </Text>
      <CopyButton value={number}>
        {({ copied, copy }) => (
          <Button
            size="compact-sm"
            variant="default"
            onClick={copy}
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            aria-live="polite"
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
