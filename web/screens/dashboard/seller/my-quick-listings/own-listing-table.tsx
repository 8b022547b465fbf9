import { ActionIcon, Badge, Button, Checkbox, Group, Table, Text, UnstyledButton } from '@mantine/core'
import type { PriceRange } from '#contract/listing/pricing.ts'
import { checkForSeller } from '#contract/listing/seller-check.ts'
import { rangeInWords } from '#web/components/listing-form/price-help.tsx'
import '@mantine/core/styles/Table.layer.css'
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Listing, OwnFigures, ownSorts } from '#contract/listings.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { useListReturn } from '#web/components/listing-nav.tsx'
import { momentWords, timeAgo } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import { endInWords, formatPrice, holdInWords, titleOf } from '#web/site/card/listing-words.ts'
import { duplicatePath, type ListingActions } from './own-listing-card.tsx'
import classes from './own-listings.module.css'

export type AgedPrices = Record<string, PriceRange & { days: number }>

export type OwnSort = (typeof ownSorts)[number]

type OwnListingTableProps = {
  listings: readonly Listing[]
  figures: Record<string, OwnFigures>
  yardHasTerms: boolean
  aged: AgedPrices
  actions: ListingActions
  chosen: ReadonlySet<string>
  onChoose: (ids: readonly string[], isChosen: boolean) => void
  sort: OwnSort
  onSort: (sort: OwnSort) => void
}

/** The seller's listings as dense rows, with what buyers did. A phone shows each row as a short block. */
export function OwnListingTable(props: OwnListingTableProps) {
  const { listings, figures, yardHasTerms, aged, actions, chosen, onChoose, sort, onSort } = props
  const ids = listings.map(({ id }) => id)
  const count = ids.filter((id) => chosen.has(id)).length
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.check}>
              <Checkbox
                aria-label="Select every listing on this page"
                checked={count > 0 && count === ids.length}
                indeterminate={count > 0 && count < ids.length}
                onChange={(event) => onChoose(ids, event.currentTarget.checked)}
              />
            </Table.Th>
            <Table.Th>Listing</Table.Th>
            <SortHeader
              label="Price"
              descending="price-high"
              ascending="price-low"
              sort={sort}
              onSort={onSort}
              numeric
            />
            <SortHeader
              label="Views"
              title="In the last 30 days"
              descending="most-views"
              ascending="fewest-views"
              sort={sort}
              onSort={onSort}
              numeric
            />
            <SortHeader
              label="Messages"
              descending="most-messages"
              ascending="fewest-messages"
              sort={sort}
              onSort={onSort}
              numeric
            />
            <SortHeader label="Listed" descending="newest" ascending="oldest" sort={sort} onSort={onSort} />
            <Table.Th>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {listings.map((listing) => (
            <Row
              key={listing.id}
              listing={listing}
              aged={aged[listing.id]}
              figures={figures[listing.id]}
              yardHasTerms={yardHasTerms}
              actions={actions}
              isChosen={chosen.has(listing.id)}
              onChoose={(isChosen) => onChoose([listing.id], isChosen)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

type SortHeaderProps = {
  label: string
  title?: string
  /** The order after the first click (largest first), and after the next one. */
  descending: OwnSort
  ascending: OwnSort
  sort: OwnSort
  onSort: (sort: OwnSort) => void
  numeric?: boolean
}

function orderOf(
  sort: OwnSort,
  { descending, ascending }: Pick<SortHeaderProps, 'descending' | 'ascending'>,
) {
  if (sort === descending) return 'descending'
  return sort === ascending ? 'ascending' : 'none'
}

function SortHeader({ label, title, descending, ascending, sort, onSort, numeric = false }: SortHeaderProps) {
  const order = orderOf(sort, { descending, ascending })
  const Icon = { descending: IconArrowDown, ascending: IconArrowUp, none: IconArrowsSort }[order]
  return (
    <Table.Th aria-sort={order} title={title} className={numeric ? classes.number : undefined}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => onSort(sort === descending ? ascending : descending)}
      >
        {label}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  )
}

type RowProps = {
  listing: Listing
  aged: AgedPrices[string] | undefined
  figures: OwnFigures | undefined
  yardHasTerms: boolean
  actions: ListingActions
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

function Row({ listing, aged, figures, yardHasTerms, actions, isChosen, onChoose }: RowProps) {
  const title = titleOf(listing)
  const order = figures?.order
  const { partnum, stocknum, partprice, currency, createdAt } = listing
  const mark = endInWords(listing) ?? (listing.status === 'HIDDEN' ? 'Hidden' : holdInWords(listing))
  const numbers = [partnum && `Part # ${partnum}`, stocknum && `Stock # ${stocknum}`].filter(Boolean)
  return (
    <Table.Tr data-chosen={isChosen || undefined}>
      <Table.Td className={classes.check}>
        <Checkbox
          aria-label={`Select ${title}`}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td className={classes.what}>
        <div className={classes.thumb}>
          <ListingPicture src={listing.imageUrl} alt="" group={listing.categoryGroup} sizes="48px" />
        </div>
        <div className={classes.words}>
          <Link to={paths.part(listing.partslug)} className={classes.title}>
            {title}
          </Link>
          <Text size="sm" className="second">
            {mark !== undefined && (
              <Badge color="warning" size="sm" mr={6}>
                {mark}
              </Badge>
            )}
            {order && (
              <>
                <Link to={paths.sellerOrder(order.id)}>Order {order.number}</Link>
                {numbers.length > 0 && ' · '}
              </>
            )}
            {numbers.join(' · ')}
          </Text>
          <Advice listing={listing} aged={aged} yardHasTerms={yardHasTerms} />
        </div>
      </Table.Td>
      <Table.Td className={`${classes.number} ${classes.price}`}>{formatPrice(partprice, currency)}</Table.Td>
      <Table.Td className={classes.number} data-label="Views">
        {figures?.views.toLocaleString('en-US')}
      </Table.Td>
      <Table.Td className={classes.number} data-label="Messages">
        <Messages figures={figures} />
      </Table.Td>
      <Table.Td className={classes.age}>
        <time dateTime={createdAt} title={momentWords(createdAt)}>
          {timeAgo(createdAt, new Date())}
        </time>
      </Table.Td>
      <Table.Td className={classes.actions}>
        <RowActions listing={listing} title={title} actions={actions} />
      </Table.Td>
    </Table.Tr>
  )
}

/** What others ask for a part that has been listed for long, and what to add. */
function Advice({ listing, aged, yardHasTerms }: Pick<RowProps, 'listing' | 'aged' | 'yardHasTerms'>) {
  if (listing.endedAt !== null) return null
  const { score, missing } = checkForSeller(listing, yardHasTerms)
  const add = missing.slice(0, MOST_ADVICE).map((one) => one.add)
  return (
    <>
      {aged && (
        <Text size="sm" className="second">
          Aged {aged.days} days: others at {rangeInWords(aged)} ({aged.count} parts)
        </Text>
      )}
      {add.length > 0 && (
        <Text size="sm" className="second">
          {score}% complete. Add {add.join(', ')}
        </Text>
      )}
    </>
  )
}

const MOST_ADVICE = 3

function Messages({ figures }: { figures: OwnFigures | undefined }) {
  if (!figures) return null
  const { messages, unanswered } = figures
  return (
    <>
      {messages.toLocaleString('en-US')}
      {unanswered > 0 && (
        <Badge component={Link} to={paths.leads} size="sm" ml={6} className={classes.unanswered}>
          {unanswered} new
        </Badge>
      )}
    </>
  )
}

type RowActionsProps = { listing: Listing; title: string; actions: ListingActions }

/** Labels include the title, because screen readers read them out of context. */
function RowActions({ listing, title, actions }: RowActionsProps) {
  const back = useListReturn(paths.myListings)
  const sold = listing.endedAt !== null
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <ButtonLink
        size="compact-sm"
        variant="default"
        to={paths.editListing(listing.partslug)}
        state={back}
        aria-label={`Update ${title}`}
      >
        Update
      </ButtonLink>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => void (sold ? actions.putBack(listing) : actions.markSold(listing))}
        aria-label={`${sold ? 'Put back on sale' : 'Mark as sold'}: ${title}`}
      >
        {sold ? 'Put back' : 'Sold'}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        component={Link}
        to={duplicatePath(listing)}
        title="Duplicate"
        aria-label={`Duplicate ${title}`}
      >
        <IconCopy size={18} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="bad"
        onClick={() => void actions.remove(listing)}
        title="Delete"
        aria-label={`Delete ${title}`}
      >
        <IconTrash size={18} />
      </ActionIcon>
    </Group>
  )
}
