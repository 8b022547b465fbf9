import { Alert, Button, Card, Group, List, Stack, Text } from '@mantine/core'
import type { DryRunPlan, ImportMode } from '#contract/imports.ts'
import { Notes, Outcome, type OutcomePart } from '#web/components/imports/import-plan.tsx'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { NameQuestions } from '#web/components/imports/name-questions.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { ColumnQuestions } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/column-questions.tsx'
import { Examples } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/examples.tsx'
import { StockQuestion } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/stock-question.tsx'
import { WantedDetails } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/wanted-details.tsx'
import {
  isLeftOut,
  sameEdits,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import {
  OtherTabCard,
  RunFailure,
  UploadCard,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/run-tab.tsx'
import {
  ANSWER_FIRST,
  planInWords,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/what-happens.tsx'
import type {
  Changes,
  DryRunResult,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { Empty } from '#web/site/page.tsx'
import { Problems } from './problems.tsx'

/** The dry run: what an import would change, what is wrong, and where to fix it. */
export function ValidateTab({ wizard }: { wizard: Wizard }) {
  const { run } = wizard
  const { state } = run
  if (state.step === 'checked') {
    const Result = state.result.columnQuestions.length > 0 ? Asked : Checked
    return <Result wizard={wizard} order={state.order} result={state.result} />
  }
  if (state.step === 'elsewhere') return <OtherTabCard run={state.run} />
  if (state.step === 'failed' && state.order.dryRun) return <RunFailure failed={state} run={run} />
  if (state.step === 'sending' && state.order.dryRun) return <UploadCard sending={state} run={run} />
  const isReady = wizard.file !== undefined
  return (
    <Empty
      title="Nothing checked yet"
      text="A dry run checks every row and shows what an import would change and what needs fixing. It changes nothing."
      action={
        isReady ? (
          <Button onClick={wizard.check} disabled={wizard.locked}>
            Validate (dry run)
          </Button>
        ) : (
          <Button onClick={() => wizard.goTo('guide')}>Choose a file</Button>
        )
      }
    />
  )
}

type CheckedProps = { wizard: Wizard; order: RunOrder; result: DryRunResult }

function Checked({ wizard, order, result }: CheckedProps) {
  const leftOut = [...order.edits.values()].filter(isLeftOut).length
  return (
    <Stack gap="md">
      <SectionCard isNews title={headline(result)} lead={nextStep(result, order.mode)}>
        {result.repeats > 0 && <RepeatedParts repeats={result.repeats} />}
        <Outcome label="What an import would do" parts={partsOf(result, leftOut)} />
        <Notes title="About the file" color="sea" notes={result.warnings} />
      </SectionCard>
      <Decisions wizard={wizard} order={order} result={result} />
      {result.plan && <FileNames plan={result.plan} result={result} wizard={wizard} />}
      {(result.errors > 0 || wizard.edits.size > 0) && (
        <Problems wizard={wizard} order={order} result={result} />
      )}
      <Card component="section" aria-label="Next step">
        <NextStep wizard={wizard} order={order} result={result} />
      </Card>
    </Stack>
  )
}

/** While a column may be misread, its problems are meaningless; they are shown once the question is answered. */
function Asked({ wizard, order, result }: CheckedProps) {
  const { columnQuestions, remembered, examples, changes, plan } = result
  const isOne = columnQuestions.length === 1
  // In a yard's second file, the parts from its first.
  const hasLive = (changes?.update ?? 0) + (changes?.unchanged ?? 0) + (plan?.missing ?? 0) > 0
  return (
    <Stack gap="md">
      <SectionCard
        isNews
        title={`${hasLive ? '' : 'Nothing is live yet. '}We need ${isOne ? 'an answer' : 'a few answers'} first.`}
        lead={`${isOne ? 'It is about a column' : 'They are about columns'} of your file that could be misread. Then we check all rows.`}
      />
      <ColumnQuestions questions={columnQuestions} {...{ wizard, order, remembered }} />
      <Examples wizard={wizard} examples={examples} />
      <Card component="section" aria-label="Next step">
        <NextStep wizard={wizard} order={order} result={result} />
      </Card>
    </Stack>
  )
}

/** The questions to the seller before anything goes live, and a preview of the parts. */
function Decisions({ wizard, order, result }: CheckedProps) {
  const { remembered, examples, plan } = result
  return (
    <>
      <ColumnQuestions questions={[]} {...{ wizard, order, remembered }} />
      <StockQuestion wizard={wizard} plan={plan} />
      <WantedDetails wizard={wizard} wants={result.wants} />
      <Examples wizard={wizard} examples={examples} />
    </>
  )
}

/** An export whose ids were emptied would list its hand-made parts a second time. */
function RepeatedParts({ repeats }: { repeats: number }) {
  const isOne = repeats === 1
  return (
    <Alert
      color="warning"
      variant="light"
      title={`${rowsInWords(repeats)} ${isOne ? 'looks' : 'look'} like parts you already list`}
    >
      The listing id of {isOne ? 'this row' : 'these rows'} is empty, and{' '}
      {isOne ? 'it matches a part' : 'they match parts'} you listed by hand.{' '}
      {isOne ? 'It waits' : 'They wait'} after the import: in its receipt you say whether{' '}
      {isOne ? 'it is that part or another one' : 'they are those parts or other ones'}. Nothing is listed
      twice until then. To update your listings without that question, export your parts again and leave the
      listing id column as it is.
    </Alert>
  )
}

/** What is asked about names, and which new ones the import would bring. */
function FileNames({ plan, result, wizard }: { plan: DryRunPlan; result: DryRunResult; wizard: Wizard }) {
  const { questions, leftOut } = result
  const { newNames } = plan
  const lead = `${rowsInWords(rowsToExplain(result))} would wait until you say what these names mean. You can answer now or after the import; all other rows go live without them.`
  const named = newNames.slice(0, MAX_NEW_NAMES)
  return (
    <>
      <NameQuestions {...{ questions, leftOut, lead }} onAnswered={wizard.check} />
      {named.length > 0 && (
        <Card component="section" aria-label="New names">
          <Text fw={600}>Names that are not in the catalog</Text>
          <List size="sm">
            {named.map(({ kind, name, rows, example }) => (
              <List.Item key={`${kind} ${name}`}>
                {kind === 'model' ? 'Model' : 'Make'} “{name}”: {rowsInWords(rows)}, such as “{example}”
              </List.Item>
            ))}
          </List>
        </Card>
      )}
    </>
  )
}

/** Held rows without those that are unclear. */
const rowsToExplain = ({ plan, changes }: DryRunResult) => (plan?.held ?? 0) - (changes?.refused ?? 0)

/** Enough to spot a typo or a wrong column. */
const MAX_NEW_NAMES = 12

const also = (part: OutcomePart) => (part.count > 0 ? [part] : [])

function partsOfChanges({ create, update, unchanged, merged, refused }: Changes): OutcomePart[] {
  return [
    { label: 'Create', count: create, color: 'good' },
    { label: 'Update', count: update, color: 'sea' },
    { label: 'Unchanged', count: unchanged, color: 'gray' },
    ...also({ label: 'Duplicate in the file', count: merged, color: 'gray', hint: 'combined' }),
    ...also({ label: 'Unclear', count: refused, color: 'bad', hint: 'skipped, see below' }),
  ]
}

function partsOf(result: DryRunResult, leftOut: number): OutcomePart[] {
  const { changes, remarks, plan } = result
  return [
    ...(changes ? partsOfChanges(changes) : []),
    ...also({ label: 'End', count: plan?.ends ?? 0, color: 'warning', hint: 'no longer in stock' }),
    ...also({ label: 'Waiting', count: rowsToExplain(result), color: 'warning', hint: 'for your answers' }),
    { label: 'With errors', count: toFix(result), color: 'bad' },
    ...also({ label: 'Not listed', count: remarks, color: 'gray', hint: 'sold, or not parts' }),
    ...also({ label: 'Left out', count: leftOut, color: 'gray', hint: 'by you' }),
  ]
}

/** After corrections, the main action is to check again. */
function NextStep({ wizard, order, result }: CheckedProps) {
  const { preview, edits, check, startImport } = wizard
  const good = result.total - result.errors
  const isCorrected = !sameEdits(edits, order.edits)
  const isAsked = result.columnQuestions.length > 0
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {isCorrected && (
          <Button size="md" onClick={check}>
            Check the whole file again
          </Button>
        )}
        {!preview && (
          <Button
            size="md"
            variant={isCorrected ? 'default' : 'filled'}
            onClick={startImport}
            disabled={isAsked || (good === 0 && !isCorrected)}
          >
            Run import
          </Button>
        )}
        <Text className="second" {...(isAsked && { role: 'status' })}>
          {isAsked ? ANSWER_FIRST : nextStepHint(result, isCorrected ? edits.size : 0)}
        </Text>
      </Group>
      {preview && (
        <Alert color="sea" variant="light">
          Importing needs the Pro plan.
        </Alert>
      )}
    </Stack>
  )
}

function nextStepHint(result: DryRunResult, corrected: number): string {
  if (corrected > 0) {
    return `Both include your corrections to ${rowsInWords(corrected)}. Rows that still have errors are left out.`
  }
  const errors = toFix(result)
  const will = result.plan ? planInWords(result.plan) : rowsInWords(result.total - result.errors)
  if (errors === 0) return `${will}.`
  return `${will}. The ${errors === 1 ? 'row' : `${formatCount(errors)} rows`} with errors ${errors === 1 ? 'is' : 'are'} left out.`
}

type Counts = Pick<DryRunResult, 'total' | 'errors' | 'remarks'>

/** Rows with problems that need fixing, without the remarks. */
const toFix = ({ errors, remarks }: Counts) => errors - remarks

/** "1,998 of 2,000 rows are good. 2 need fixing." Rows with remarks are not counted. */
export function headline(counts: Counts): string {
  const errors = toFix(counts)
  const total = counts.total - counts.remarks
  const good = total - errors
  if (total === 0) return 'No rows left to import.'
  if (errors === 0) return total === 1 ? 'The row is good.' : `All ${rowsInWords(total)} are good.`
  if (good === 0) return total === 1 ? 'The row needs fixing.' : `All ${rowsInWords(total)} need fixing.`
  return `${formatCount(good)} of ${rowsInWords(total)} ${good === 1 ? 'is' : 'are'} good. ${formatCount(errors)} ${
    errors === 1 ? 'needs' : 'need'
  } fixing.`
}

function nextStep(counts: Counts, mode: ImportMode): string {
  const errors = toFix(counts)
  const ending = mode === 'replace' ? ' Parts that are no longer in your file are taken down.' : ''
  if (errors === 0) return `Nothing has changed yet.${ending}`
  if (errors === counts.total - counts.remarks) {
    return 'Nothing has changed yet. If most rows have the same problem, check the columns first. Otherwise fix the rows here or in your file.'
  }
  return `Nothing has changed yet. Fix them here or in your file, or import the other rows now.${ending}`
}
