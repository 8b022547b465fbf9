import { Badge, Card, Group, SimpleGrid, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import {
  endInWords,
  formatPrice,
  gradeInWords,
  holdInWords,
  placeOf,
  titleOf,
} from '#web/site/card/listing-words.ts'
import classes from './listing-card.module.css'

export type CardListing = Pick<
  Listing,
  | 'partyear'
  | 'partmanuname'
  | 'partmodel'
  | 'partname'
  | 'currency'
  | 'partnum'
  | 'partgrade'
  | 'partcity'
  | 'partstate'
  | 'dealername'
  | 'imageUrl'
  | 'categoryGroup'
> & {
  dealerphone?: Listing['dealerphone']
  endedAt?: Listing['endedAt']
  endedReason?: Listing['endedReason']
  partyearto?: Listing['partyearto']
  status?: Listing['status']
  availability?: Listing['availability']
  /** Null in a form preview without a price. */
  partprice: number | null
}

type ListingCardProps = {
  listing: CardListing
  /** The title's link; without it, the title is plain text. */
  to?: string
  linkState?: unknown
  actions?: ReactNode
  /** Visible without scrolling, so the picture loads right away. */
  first?: boolean
  heading?: 'h2' | 'h3'
  /** Replaces the lines below the price. */
  details?: ReactNode
  /** Used if the listing's own picture cannot be shown. */
  otherwise?: string | undefined
  /** A 900 by 500 picture, so that more cards fit on the screen. */
  flat?: boolean
}

/** A listing in a grid, with price and part number as the most prominent text. */
export function ListingCard(props: ListingCardProps) {
  const { listing, to, linkState, actions, first = false, heading: Heading = 'h2' } = props
  const title = titleOf(listing)
  const mark = endInWords(listing) ?? (listing.status === 'HIDDEN' ? 'Hidden' : holdInWords(listing))
  return (
    <Card component="article" className={classes.card} padding={0}>
      <div className={classes.picture} data-flat={props.flat || undefined}>
        <ListingPicture
          src={listing.imageUrl}
          otherwise={props.otherwise}
          alt=""
          group={listing.categoryGroup}
          first={first}
        />
        {mark !== undefined && (
          <Badge className={classes.mark} color="warning">
            {mark}
          </Badge>
        )}
      </div>
      <Stack gap={6} className={classes.text}>
        <Heading className={classes.title}>
          {to === undefined ? (
            title
          ) : (
            <Link to={to} state={linkState}>
              {title}
            </Link>
          )}
        </Heading>
        <Group gap="xs">
          {listing.partprice !== null && <VisuallyHidden>Price</VisuallyHidden>}
          <Text component="span" className={classes.price}>
            {listing.partprice === null ? 'Price' : formatPrice(listing.partprice, listing.currency)}
          </Text>
          {listing.partgrade && (
            <Badge title={gradeInWords(listing.partgrade)}>Grade {listing.partgrade}</Badge>
          )}
        </Group>
        {props.details ?? <Lines listing={listing} />}
      </Stack>
      {actions !== undefined && (
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      )}
    </Card>
  )
}

function Lines({ listing }: { listing: CardListing }) {
  return (
    <>
      {listing.partnum && (
        <Text className={classes.number}>
          <span className={classes.quiet}>Part #</span> {listing.partnum}
        </Text>
      )}
      <Text size="sm" className={`second ${classes.line}`}>
        {[placeOf(listing), listing.dealername].filter(Boolean).join(' · ')}
      </Text>
      {listing.dealerphone && (
        <Text size="sm" className="second">
          {listing.dealerphone}
        </Text>
      )}
    </>
  )
}

const gridColumns = { base: 1, xs: 2, md: 3, lg: 4 }
/** Beside a side bar, so that a card's buttons stay in one line. */
const fewerColumns = { base: 1, xs: 2, md: 3, xl: 4 }

export function ListingGrid({
  children,
  withActions = false,
}: {
  children: ReactNode
  withActions?: boolean
}) {
  return (
    <SimpleGrid cols={withActions ? fewerColumns : gridColumns} spacing="md">
      {children}
    </SimpleGrid>
  )
}

type ListingSkeletonProps = { count: number; withActions: boolean; flat?: boolean }

/** Placeholders of the cards' size. Hidden from screen readers: the page announces that it is loading. */
export function ListingSkeleton({ count, withActions, flat = false }: ListingSkeletonProps) {
  return (
    <div aria-hidden>
      <ListingGrid withActions={withActions}>
        {Array.from({ length: count }, (_, place) => place).map((place) => (
          <Card key={place} className={classes.card} padding={0}>
            <div className={classes.picture} data-flat={flat || undefined}>
              <Skeleton height="100%" radius={0} />
            </div>
            <Stack gap="sm" className={classes.text}>
              <Skeleton height={20} width="85%" />
              <Skeleton height={26} width="45%" />
              <Skeleton height={18} width="60%" />
              <Skeleton height={16} width="75%" />
            </Stack>
            {withActions && (
              <div className={classes.actions}>
                <Skeleton height={30} width="60%" />
              </div>
            )}
          </Card>
        ))}
      </ListingGrid>
    </div>
  )
}
