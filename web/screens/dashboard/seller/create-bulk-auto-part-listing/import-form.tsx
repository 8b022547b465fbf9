import { Stack } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { MappingTemplate } from '#contract/mapping-templates.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { focusFirstProblem } from '#web/components/first-problem.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { CheckCard } from './check-card.tsx'
import { firstChoice, labelsOf, missingFields } from './column-choice.ts'
import { ColumnsStep } from './columns-step.tsx'
import { DefaultsStep, defaultsOf, withoutEmpty } from './defaults-step.tsx'
import { FormSummary } from './form-summary.tsx'
import classes from './import-form.module.css'
import { readMemory, remember } from './import-memory.ts'
import type { RunState } from './import-run.ts'
import type { ImportFile } from './read-import-file.ts'
import { RunFailure } from './run-failure.tsx'
import { type RunChoice, RunStep } from './run-step.tsx'
import { UploadCard } from './upload-card.tsx'
import type { ImportRun } from './use-import-run.ts'

type ImportFormProps = {
  user: User
  file: ImportFile
  templates: readonly MappingTemplate[]
  run: ImportRun
}

/** From a file that was read to a run: its columns, values for empty cells, what it is to the listings. */
export function ImportForm({ user, file, templates, run }: ImportFormProps) {
  const [columns, setColumns] = useState(() => {
    const { mappingId } = readMemory()
    return firstChoice(
      file.headers,
      templates.find(({ id }) => id === mappingId),
    )
  })
  const [defaults, setDefaults] = useState(() => defaultsOf(user))
  const [choice, setChoice] = useState<RunChoice>(() => ({ mode: 'add', dryRun: readMemory().dryRun }))
  const [tried, setTried] = useState(false)
  const [editing, setEditing] = useState(false)
  const form = useRef<HTMLFieldSetElement>(null)
  const preview = user.sellerTier !== 'PAID'
  const missing = missingFields(columns.mapping, defaults)
  const { state } = run
  const sending = state.step === 'sending'
  const folded = (sending || state.step === 'checked') && !editing

  /** What was found, or went wrong, was about other columns or values. */
  function changed(): void {
    if (state.step !== 'idle') run.reset()
  }
  function start(dryRun: boolean): void {
    setTried(true)
    setEditing(false)
    const problem = problemOf(file, columns.mapping, missing)
    if (problem !== undefined) {
      notifyProblem(problem, { about: 'import' })
      if (form.current) focusFirstProblem(form.current)
      return
    }
    void run.start({
      file,
      mapping: columns.mapping,
      defaults: withoutEmpty(defaults),
      mode: choice.mode,
      dryRun,
    })
  }
  async function startImport(): Promise<void> {
    if (choice.mode === 'add' || (await askToReplace(file.file.name))) start(false)
  }

  return (
    <>
      {folded && (
        <FormSummary
          columns={columns}
          defaults={defaults}
          mode={choice.mode}
          onEdit={() => setEditing(true)}
          locked={sending}
        />
      )}
      <fieldset ref={form} disabled={sending} className={classes.form} hidden={folded}>
        <Stack gap="md">
          <ColumnsStep
            file={file}
            choice={columns}
            missing={tried ? missing : []}
            onChange={(next) => {
              setColumns(next)
              changed()
            }}
          />
          <DefaultsStep
            defaults={defaults}
            onChange={(next) => {
              setDefaults(next)
              changed()
            }}
          />
          <RunStep
            records={file.records}
            choice={choice}
            preview={preview}
            checked={state.step === 'checked'}
            onChange={(next) => {
              setChoice(next)
              remember({ dryRun: next.dryRun })
              if (next.mode !== choice.mode) changed()
            }}
            onStart={() => (choice.dryRun || preview ? start(true) : void startImport())}
          />
        </Stack>
      </fieldset>
      <RunResult run={run} mayImport={!preview} onAgain={start} onImport={() => void startImport()} />
    </>
  )
}

type RunResultProps = {
  run: ImportRun
  mayImport: boolean
  onAgain: (dryRun: boolean) => void
  onImport: () => void
}

function RunResult({ run, mayImport, onAgain, onImport }: RunResultProps): ReactNode {
  const state: RunState = run.state
  if (state.step === 'sending') {
    return (
      <UploadCard
        order={state.order}
        progress={state.progress}
        onPause={run.setPaused}
        onCancel={run.reset}
      />
    )
  }
  if (state.step === 'failed') {
    return <RunFailure failed={state} onAgain={() => onAgain(state.order.dryRun)} />
  }
  if (state.step !== 'checked') return null
  return <CheckCard order={state.order} result={state.result} mayImport={mayImport} onImport={onImport} />
}

function problemOf(
  file: ImportFile,
  mapping: object,
  missing: ReturnType<typeof missingFields>,
): string | undefined {
  if (file.records === 0) return 'The file has a header and no rows'
  if (Object.keys(mapping).length === 0) return 'Provide a mapping JSON or select a template'
  if (missing.length === 0) return undefined
  return `Every row needs: ${labelsOf(missing)}`
}

const askToReplace = (name: string) =>
  askToConfirm({
    title: 'Replace your stock with this file?',
    text: `Parts of your earlier imports that are not in ${name} end as sold elsewhere. What you listed by hand stays. You can take the import back for 30 days.`,
    confirm: 'Replace my stock',
  })
