import { List, Stack, Text, Title } from '@mantine/core'
import type { DryRunPlan, ExpectedGoLive, ImportMode } from '#contract/imports.ts'
import { formatCount, listingsInWords, rowsInWords } from '#web/components/imports/import-words.ts'

type WhatHappensProps = {
  plan: DryRunPlan | undefined
  goesLive: ExpectedGoLive | undefined
  mode: ImportMode
}

/** What an import will do and when, before the seller runs it. Known once the rows were checked. */
export function WhatHappens({ plan, goesLive, mode }: WhatHappensProps) {
  return (
    <Stack component="section" aria-labelledby="what-happens" gap="xs">
      <Title order={3} size="h4" id="what-happens">
        What will happen and when
      </Title>
      {plan && goesLive ? (
        <>
          <List>
            {planLines(plan, mode).map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
          <Text>{goLiveSentence(goesLive)}</Text>
        </>
      ) : (
        <Text>
          Check the rows to see which listings change and when they go live. Once your import is live, you get
          an email with its receipt.
        </Text>
      )}
    </Stack>
  )
}

/** Why a run has to wait. */
export const ANSWER_FIRST = 'Answer the questions about your columns first. Nothing goes live before that.'
export const CHECK_FIRST = 'Run waits for the check of your rows, which shows what would be live.'

/** "8 new, 19 change, 10 end" */
export function planInWords({ creates, updates, ends, held }: DryRunPlan): string {
  const parts = [
    [creates, 'new'],
    [updates, updates === 1 ? 'changes' : 'change'],
    [ends, ends === 1 ? 'ends' : 'end'],
    [held, held === 1 ? 'waits for your answer' : 'wait for your answers'],
  ] as const
  const words = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`)
  return words.length > 0 ? words.join(', ') : 'Nothing changes'
}

/** "12 new listings", "1 listing is updated": the lines of a plan that change something. */
function planLines(plan: DryRunPlan, mode: ImportMode): string[] {
  const { creates, updates, ends, held, newNames, missing = 0 } = plan
  const stays = mode === 'replace' ? 0 : missing
  const why = mode === 'replace' ? 'not in this file' : 'with quantity 0'
  const lines = [
    [creates, creates === 1 ? '1 new listing' : `${formatCount(creates)} new listings`],
    [updates, `${listingsInWords(updates)} ${updates === 1 ? 'is' : 'are'} updated`],
    [ends, `${listingsInWords(ends)} ${why} ${ends === 1 ? 'is' : 'are'} taken down`],
    [stays, `${listingsInWords(stays)} not in this file ${stays === 1 ? 'stays' : 'stay'} as they are`],
    [held, `${rowsInWords(held)} ${held === 1 ? 'waits' : 'wait'} for your answer or a correction`],
    [newNames.length, `New names: ${newNames.map(({ name }) => name).join(', ')}`],
  ] as const
  const changing = lines.filter(([count]) => count > 0).map(([, line]) => line)
  return changing.length > 0 ? changing : ['Nothing changes: your listings already match these rows.']
}

const mailed = 'Then you get an email with the receipt.'

function goLiveSentence({ how, atOnce, later, waitMinutes }: ExpectedGoLive): string {
  switch (how) {
    case 'now':
      return `It goes live automatically as soon as the rows are uploaded. ${mailed}`
    case 'first-parts':
      return `As this is your first import, ${formatCount(atOnce)} new listings go live at once and the other ${formatCount(later)} about ${waitInWords(waitMinutes)} later, unless buyers report your listings. ${mailed}`
    case 'confirm':
      return 'We will ask you to confirm the plan before anything changes, because much of your stock would be taken down. It goes live as soon as you do.'
    case 'review':
      return `An administrator reviews it before it goes live. ${mailed}`
  }
}

function waitInWords(minutes: number): string {
  if (minutes === 60) return 'an hour'
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`
}
