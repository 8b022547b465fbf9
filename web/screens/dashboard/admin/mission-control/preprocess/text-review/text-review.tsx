import { Alert, Badge, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  type TextReview as Review,
  type TextProposal,
  textChanges,
  textDecisions,
} from '#contract/admin/scripts.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { TextLink } from '#web/components/links.tsx'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { Waiting } from '#web/components/page/waiting.tsx'
import { type Column, ScrolledRecords } from '#web/components/records-list.tsx'
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
  const [first] = texts.data?.pages ?? []
  return (
    <SectionCard title="Compare texts" className={classes.card ?? ''}>
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
    </SectionCard>
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
  const columns: Column<TextProposal & { id: string }>[] = [
    { header: isOfPages(field) ? 'Page' : 'Part', cell: (text) => <Place text={text} /> },
    {
      header: `Current ${what}`,
      labeled: true,
      className: classes.text,
      cell: ({ before, after }) =>
        before.trim() === '' ? (
          <span className="second">empty</span>
        ) : (
          <Compared text={before} other={after ?? before} as="del" />
        ),
    },
    {
      header: `New ${what}`,
      labeled: true,
      className: classes.text,
      cell: ({ before, after, why }) =>
        after === null ? (
          <Text size="sm">Nothing is written: {why}</Text>
        ) : (
          <Compared text={after} other={before} as="ins" />
        ),
    },
    {
      header: 'Decision',
      cell: (text) => (
        <DecisionCell
          text={text}
          name={isOfPages(field) ? `${text.label} ${text.title}` : text.label}
          onDecide={(decision) => deciding.mutate({ decision, places: [text.place] })}
        />
      ),
    },
  ]
  return (
    <ScrolledRecords
      label="Texts, old and new"
      columns={columns}
      items={items.map((text) => ({ ...text, id: String(text.place) }))}
    />
  )
}

function Place({ text: { label, title, partslug, change } }: { text: TextProposal }) {
  return (
    <>
      <Text size="sm" fw={650}>
        {label}
      </Text>
      <Text size="sm">
        {partslug === null ? title : <TextLink to={paths.part(partslug)}>{title}</TextLink>}
      </Text>
      <Badge size="sm" color={change === 'refused' || change === 'drops' ? 'bad' : 'sea'}>
        {changeWords[change]}
      </Badge>
    </>
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

type DecisionCellProps = {
  text: TextProposal
  /** For the labels of the buttons. */
  name: string
  onDecide: (decision: TextProposal['decision']) => void
}

function DecisionCell({ text: { change, decision, outcome }, name, onDecide }: DecisionCellProps) {
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
