import { Alert, Badge, Button, Card, Group, NativeSelect, Stack, Table, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Table.layer.css'
import { useId, useState } from 'react'
import {
  type TextReview as Review,
  type TextProposal,
  textChanges,
  textDecisions,
} from '#contract/admin/scripts.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { TextLink } from '#web/components/links.tsx'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { Waiting } from '#web/components/page/waiting.tsx'
import { paths } from '#web/paths.ts'
import { LoadMore } from '#web/screens/dashboard/admin/mission-control/preprocess/staging/changed-rows.tsx'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import classes from './text-review.module.css'
import {
  changeWords,
  comparedPieces,
  type ReviewFilters,
  reviewSummary,
  useDecide,
  useTextReview,
  useWriteAccepted,
  type WrittenNow,
} from './text-reviews.ts'

const noFilters: ReviewFilters = { q: '', change: '', decision: '' }

/** The texts of a dry run, old and new side by side; only accepted ones are written. */
export function TextReview({ jobId }: { jobId: string }) {
  const [filters, setFilters] = useState(noFilters)
  const texts = useTextReview(jobId, filters)
  const titleId = useId()
  const [first] = texts.data?.pages ?? []
  return (
    <Card component="section" aria-labelledby={titleId} className={classes.card ?? ''}>
      <Stack gap="md">
        <Title order={2} size="h3" id={titleId}>
          Compare texts
        </Title>
        {texts.isError && <QuietRetry query={texts} fallback="Failed to load" />}
        {texts.isPending && <Waiting />}
        {first && (
          <>
            <ReviewHead jobId={jobId} review={first.review} />
            <ReviewTools
              jobId={jobId}
              review={first.review}
              total={first.total}
              filters={filters}
              onChange={setFilters}
            />
            <ReviewTable
              jobId={jobId}
              field={first.review.field}
              items={texts.data?.pages.flatMap((page) => page.items) ?? []}
            />
            <LoadMore query={texts} />
          </>
        )}
      </Stack>
    </Card>
  )
}

function ReviewHead({ jobId, review }: { jobId: string; review: Review }) {
  const writing = useWriteAccepted(jobId)
  const waiting = review.accepted - review.written - review.stale
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="sm">
        <Text role="status">{reviewSummary(review)}</Text>
        <Button disabled={waiting === 0} loading={writing.isPending} onClick={() => writing.mutate()}>
          {waiting === 0 ? 'Write accepted' : `Write ${formatCount(waiting)} accepted`}
        </Button>
      </Group>
      {review.leftOut > 0 && (
        <Text size="sm">
          {formatCount(review.leftOut)} more texts are not shown. Use Start and End to review them in parts.
        </Text>
      )}
      {writing.data && <WrittenNotice review={review} done={writing.data} />}
    </Stack>
  )
}

const isOfPages = (field: Review['field']) => field === 'landing' || field === 'links'

function WrittenNotice({ review: { field, source }, done }: { review: Review; done: WrittenNow }) {
  const where = () => {
    if (isOfPages(field)) return '. The pages show them now.'
    if (source === null) {
      return ' into live listings. To undo, open the bulk saves in Edit Multiple Products.'
    }
    return ` as version ${done.version ?? source.version} of ${source.path}. Promote it to show them.`
  }
  const count = `${formatCount(done.written)} ${done.written === 1 ? 'text' : 'texts'}`
  return (
    <Alert color="good" variant="light" role="status">
      {`${count} written`}
      {where()}
    </Alert>
  )
}

type ReviewToolsProps = {
  jobId: string
  review: Review
  /** How many match the filters. */
  total: number
  filters: ReviewFilters
  onChange: (filters: ReviewFilters) => void
}

function ReviewTools({ jobId, review, total, filters, onChange }: ReviewToolsProps) {
  const deciding = useDecide(jobId)
  const isFiltered = filters.q !== '' || filters.change !== ''
  const all = isFiltered ? `all ${formatCount(total)} found` : 'all'
  const decideAll = (decision: 'accepted' | 'rejected') => deciding.mutate({ decision, filters })
  // “All” includes texts with any decision, so a list filtered by decision would show a different number.
  const canDecideAll = total > 0 && filters.decision === '' && filters.change !== 'refused'
  return (
    <div className={classes.tools}>
      <SearchInput
        aria-label="Search texts"
        placeholder="Search parts and texts"
        value={filters.q}
        onSearch={(q) => onChange({ ...filters, q })}
      />
      <NativeSelect
        aria-label="Kind of change"
        value={filters.change}
        data={[
          { value: '', label: 'All changes' },
          ...textChanges.map((value) => ({
            value,
            label: `${changeWords[value]} (${formatCount(review.changes[value])})`,
          })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filters, change: textChanges.find((change) => change === value) ?? '' })
        }
      />
      <NativeSelect
        aria-label="Decision"
        value={filters.decision}
        data={[
          { value: '', label: 'Any decision' },
          { value: 'open', label: 'To decide' },
          { value: 'accepted', label: 'Accepted' },
          { value: 'rejected', label: 'Rejected' },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            ...filters,
            decision: value === 'open' ? value : (textDecisions.find((one) => one === value) ?? ''),
          })
        }
      />
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          disabled={!canDecideAll}
          loading={deciding.isPending}
          onClick={() => decideAll('accepted')}
        >
          Accept {all}
        </Button>
        <Button variant="default" disabled={!canDecideAll} onClick={() => decideAll('rejected')}>
          Reject {all}
        </Button>
      </Group>
    </div>
  )
}

const textWords: Record<Review['field'], string> = {
  h1: 'heading',
  partdescription: 'description',
  landing: 'page texts',
  links: 'texts and links',
}

type ReviewTableProps = { jobId: string; field: Review['field']; items: readonly TextProposal[] }

function ReviewTable({ jobId, field, items }: ReviewTableProps) {
  const deciding = useDecide(jobId)
  if (items.length === 0) return <Text className="second">No texts match.</Text>
  const what = textWords[field]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
    <section className={classes.scroll} aria-label="Texts, old and new" tabIndex={0}>
      <Table stickyHeader verticalSpacing="xs" className={classes.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{isOfPages(field) ? 'Page' : 'Part'}</Table.Th>
            <Table.Th>Current {what}</Table.Th>
            <Table.Th>New {what}</Table.Th>
            <Table.Th>Decision</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((text) => (
            <ProposalRow
              key={text.place}
              text={text}
              name={isOfPages(field) ? `${text.label} ${text.title}` : text.label}
              onDecide={(decision) => deciding.mutate({ decision, places: [text.place] })}
            />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

type ProposalRowProps = {
  text: TextProposal
  /** For the labels of the buttons. */
  name: string
  onDecide: (decision: TextProposal['decision']) => void
}

function ProposalRow({ text, name, onDecide }: ProposalRowProps) {
  const { label, title, partslug, before, after, change, why } = text
  return (
    <Table.Tr data-decision={text.decision}>
      <Table.Td>
        <Text size="sm" fw={650}>
          {label}
        </Text>
        <Text size="sm">
          {partslug === null ? title : <TextLink to={paths.part(partslug)}>{title}</TextLink>}
        </Text>
        <Badge size="sm" color={change === 'refused' || change === 'drops' ? 'bad' : 'sea'}>
          {changeWords[change]}
        </Badge>
      </Table.Td>
      <Table.Td className={classes.text} data-label="Current">
        {before.trim() === '' ? (
          <span className="second">empty</span>
        ) : (
          <Compared text={before} other={after ?? before} as="del" />
        )}
      </Table.Td>
      <Table.Td className={classes.text} data-label="New">
        {after === null ? (
          <Text size="sm">Nothing is written: {why}</Text>
        ) : (
          <Compared text={after} other={before} as="ins" />
        )}
      </Table.Td>
      <Table.Td>
        <DecisionCell text={text} name={name} onDecide={onDecide} />
      </Table.Td>
    </Table.Tr>
  )
}

type ComparedProps = { text: string; other: string; as: 'del' | 'ins' }

/** Words that only this text has are deletions or insertions: color alone is not accessible. */
function Compared({ text, other, as: Mark }: ComparedProps) {
  let from = 0
  return comparedPieces(text, other).map((piece) => {
    const key = from
    from += piece.text.length
    return piece.isShared ? <span key={key}>{piece.text}</span> : <Mark key={key}>{piece.text}</Mark>
  })
}

function DecisionCell({ text: { change, decision, outcome }, name, onDecide }: ProposalRowProps) {
  if (change === 'refused') return null
  if (outcome === 'written') return <Badge color="good">written</Badge>
  if (outcome === 'stale') return <Badge color="warning">changed since</Badge>
  const button = (value: 'accepted' | 'rejected', verb: string) => (
    <Button
      size="compact-sm"
      color="sea"
      variant={decision === value ? 'light' : 'default'}
      aria-pressed={decision === value}
      aria-label={`${verb} ${name}`}
      onClick={() => onDecide(decision === value ? null : value)}
    >
      {verb}
    </Button>
  )
  return (
    <Group gap={4} wrap="nowrap">
      {button('accepted', 'Accept')}
      {button('rejected', 'Reject')}
    </Group>
  )
}
