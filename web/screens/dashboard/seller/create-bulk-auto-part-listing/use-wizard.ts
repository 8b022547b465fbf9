import { useEffect, useEffectEvent, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import { askToReplace } from './ask-to-replace.ts'
import { choiceOf, missingFields, suggestedChoice, withMapping } from './column-choice.ts'
import { withoutEmpty } from './defaults-of.ts'
import { editsKey } from './edits-on-device.ts'
import { remember, rememberDraft } from './import-memory.ts'
import type { RunOrder } from './import-run.ts'
import { obstacleOf } from './obstacle.ts'
import { openMoney } from './open-money.ts'
import { useColumns } from './use-columns.ts'
import { useFieldsJson } from './use-fields-json.ts'
import { useImportRun } from './use-import-run.ts'
import { useKeptEdits } from './use-kept-edits.ts'
import { usePreparation } from './use-preparation.ts'
import { useProposers } from './use-proposers.ts'
import { useWizardFile } from './use-wizard-file.ts'
import { useWizardTab } from './use-wizard-tab.ts'
import type { Wizard } from './wizard.ts'

const mappingWords = { what: 'mapping', invalid: 'Mapping JSON is not valid JSON' } as const
const defaultsWords = { what: 'defaults', invalid: 'Defaults JSON is not valid' } as const

/** Puts the page's state together: what a file is, what is to become of it, and how far that is. */
export function useWizard(user: User): Wizard {
  const [tab, goTo] = useWizardTab()
  const proposers = useProposers()
  const templates = proposers?.templates ?? []
  const opened = useWizardFile(templates)
  const { columns, proposed, setColumns } = useColumns(opened.file, proposers)
  const prepared = usePreparation(user)
  const run = useImportRun()
  const [tried, setTried] = useState(false)
  const file = proposed ? opened.file : undefined
  const kept = useKeptEdits(file)
  const locked = run.state.step === 'sending'

  /** What was found, or went wrong, was about other columns or values. */
  function changing<A>(change: (next: A) => void): (next: A) => void {
    return (next) => {
      change(next)
      if (run.state.step === 'checked' || run.state.step === 'failed') run.reset()
    }
  }
  const chooseColumns = changing(setColumns)
  const chooseDefaults = changing(prepared.setDefaults)
  const mappingJson = useFieldsJson(
    columns.mapping,
    (mapping) => chooseColumns(withMapping(columns, mapping)),
    mappingWords,
  )
  const defaultsJson = useFieldsJson(prepared.defaults, chooseDefaults, defaultsWords)
  const state = {
    file,
    columns,
    mappingJson,
    defaultsJson,
    lacking: missingFields(columns.mapping, prepared.defaults),
    openMoney: file ? openMoney(file, columns.mapping) : [],
    editsRead: kept.isRead,
  }
  const obstacle = obstacleOf(state)

  function start(dryRun: boolean): void {
    setTried(true)
    if (obstacle || !file) return goTo(obstacle?.tab ?? 'upload')
    const { mode, chunkSize, concurrency } = prepared.options
    void run.start({
      file,
      mapping: columns.mapping,
      defaults: withoutEmpty(prepared.defaults),
      mode,
      dryRun,
      chunkSize,
      concurrency,
      edits: kept.edits,
      staging: prepared.staging,
    })
    goTo(dryRun ? 'validate' : 'run')
  }
  async function startImport(): Promise<void> {
    const asks = prepared.options.mode === 'replace' && file !== undefined && obstacle === undefined
    if (!asks || (await askToReplace(file.file.name))) start(false)
  }
  async function choose(next: File): Promise<void> {
    if (locked) return
    run.reset()
    setTried(false)
    prepared.begin()
    if (await opened.choose(next)) goTo('mapping')
  }
  useFinished(run.state.step, goTo, prepared.sent)
  useGoneOn('order' in run.state ? run.state.order : undefined, (order) => {
    if (opened.chosen.step !== 'none' || opened.chosen.problem !== undefined) return
    rememberDraft({ file: editsKey(order.file), mapping: order.mapping })
    opened.adopt(order.file)
    prepared.adopt(order)
    if (tab === 'guide') goTo(order.dryRun ? 'validate' : 'run')
  })

  return {
    ...state,
    ...prepared,
    ...kept,
    user,
    preview: user.sellerTier !== 'PAID',
    tab,
    goTo,
    chosen: opened.chosen,
    choose: (next) => void choose(next),
    said: opened.said,
    readAs: changing((said) => void opened.readAs(said)),
    templates,
    chooseTemplate(template) {
      remember({ mappingId: template?.id ?? null })
      const proposal = file && suggestedChoice({ ...file, dictionary: proposers?.dictionary })
      chooseColumns(template ? choiceOf(template, file?.headers) : (proposal ?? columns))
      if (template?.reading && file) void opened.readAs(template.reading)
    },
    setColumns: chooseColumns,
    setDefaults: chooseDefaults,
    run,
    locked,
    unsaved: columns.touched || prepared.defaultsTouched || kept.edits.size > 0,
    obstacle: tried ? obstacle : undefined,
    check: () => start(true),
    startImport: () => void startImport(),
  }
}

/** What is over is shown, wherever somebody looks meanwhile. */
function useFinished(step: string, goTo: Wizard['goTo'], onSent: () => void): void {
  const finished = useEffectEvent(() => {
    if (step === 'checked') goTo('validate')
    if (step !== 'sent') return
    onSent()
    goTo('results')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is over
  useEffect(() => finished(), [step])
}

/** A run that was begun before a reload brings back its file and what was set for it. */
function useGoneOn(order: RunOrder | undefined, onOrder: (order: RunOrder) => void): void {
  const take = useEffectEvent(onOrder)
  useEffect(() => {
    if (order) take(order)
  }, [order])
}
