import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/account/accounts.ts'
import { type ImportField, importFields, isMapped } from '#contract/csv/import-fields.ts'
import type { ImportMode } from '#contract/imports.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { useRecentImports } from '#web/components/imports/import-actions.tsx'
import { partOfStock } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/whole-stock.ts'
import { withoutEmpty } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/fields-json.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  useImportRun,
  useKeptDraft,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/use-import-run.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import type { KeptImport } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/kept-import.ts'
import { type RunInput, useRunInput } from './use-run-input.ts'
import { isReady, obstacleOf, tabsDone, type WizardTab, wizardTab } from './wizard-tabs.ts'

export type Wizard = ReturnType<typeof useWizard>

/** The page's state, shared by all tabs: the file, its settings and the run. */
export function useWizard(user: User) {
  const [tab, goTo] = useWizardTab()
  const run = useImportRun(restore)
  const { state } = run
  const input = useRunInput(user, () => {
    if (state.step === 'checked' || state.step === 'failed') run.reset()
  })
  const { opened, prepared, ...shared } = input
  const { file } = input
  const isPaid = user.sellerTier === 'PAID'
  const stock = useStock(input)
  // An administrator's preview cannot run.
  /** The user opened a tab since choosing the file, and is not taken elsewhere. */
  const hasLeft = useRef(false)
  const arrive = useArrival(file, () => {
    prepared.fillDefaults(input.shape.defaults)
    if (isPaid && stock.mode === 'replace') prepared.setOptions({ ...prepared.options, mode: 'replace' })
    if (!hasLeft.current) goTo(isPaid && isReady(input) ? 'run' : 'mapping')
  })
  /** How often the user tried to continue. */
  const [tries, setTries] = useState(0)
  /** An upload is running, so nothing can be changed. */
  const locked = state.step === 'sending'
  const obstacle = obstacleOf(input)
  /** The input to focus on the tab that is opened next. */
  const [sought, setSought] = useState<SoughtField>()

  function checkWith(changes: OrderChanges): void {
    if (changes.answers) prepared.addAnswers(changes.answers)
    if (changes.defaults) prepared.setDefaults(changes.defaults)
    if (changes.mode) prepared.setOptions({ ...prepared.options, mode: changes.mode })
    const answers = { ...prepared.answers, ...changes.answers }
    start(true, { ...changes, answers })
  }
  function start(dryRun: boolean, changes: OrderChanges = {}): void {
    setTries(tries + 1)
    if (file && !obstacle) void run.start({ ...orderOf(input, file, dryRun), ...changes })
    const next = dryRun ? 'validate' : 'run'
    goTo(file && !obstacle ? next : (obstacle?.tab ?? 'upload'))
  }
  async function startImport(): Promise<void> {
    // After a check the page itself says how many parts end.
    const isSeen =
      state.step === 'checked' && state.order.mode === 'replace' && state.result.plan !== undefined
    const asks =
      prepared.options.mode === 'replace' && !isSeen && file !== undefined && obstacle === undefined
    if (!asks || (await askToReplace(file.file.name))) start(false)
  }
  async function choose(next: File): Promise<void> {
    if (locked) return
    run.reset()
    setTries(0)
    prepared.begin()
    hasLeft.current = false
    if (await opened.choose(next)) arrive()
  }
  /** Restores the file and settings of a run started before a reload. */
  function restore({ phase, order }: KeptImport): void {
    if (opened.chosen.step !== 'none' || opened.chosen.problem !== undefined) return
    opened.adopt(order.file)
    prepared.adopt(order)
    // A resumed run may not have started yet, so don't rely on its state.
    if (tab === 'guide' && phase !== 'draft') goTo(order.dryRun ? 'validate' : 'run')
  }
  const isOpen = state.step === 'idle' || state.step === 'checked'
  useKeptDraft(isOpen && file ? orderOf(input, file, true) : undefined)
  useFinished(state.step, (next) => next !== tab && goTo(next), prepared.sent)

  return {
    ...shared,
    user,
    /** An administrator without the plan, who can check but not import. */
    preview: !isPaid,
    tab,
    goTo(next: WizardTab): void {
      hasLeft.current = true
      goTo(next)
    },
    choose: (next: File) => void choose(next),
    run,
    locked,
    unsaved: input.unsaved && state.step !== 'sent',
    tries,
    /** The tabs where nothing is left to do. */
    done: tabsDone(input, state),
    /** Why the rows cannot be checked or sent, once the user tried. */
    obstacle: tries > 0 ? obstacle : undefined,
    check: () => start(true),
    /** Checks with answers, a mode or defaults that were just given. */
    checkWith,
    /** Whether the seller has to say if the file is all of the stock. */
    asksStock: isPaid && stock.asks,
    answerStock(mode: ImportMode): void {
      stock.answer(mode)
      checkWith({ mode })
    },
    /** Why this file can't be all of the stock. */
    partOfStock: stock.part,
    sought,
    /** Opens the choice of a field's column, or its value for all rows. */
    seek(field: ImportField): void {
      const { defaults, columns } = input
      const isDefault = !isMapped(columns.mapping, field) && Boolean(defaults[field]?.trim())
      const place = isDefault ? 'defaults' : 'mapping'
      setSought({ field, id: place === 'defaults' ? `default-${field}` : `column-${field}` })
      goTo(place)
    },
    /** Asks before replacing stock. */
    startImport: () => void startImport(),
  }
}

/** Whether a file is all of the yard's stock: asked at its second one, and remembered for files with the same columns. */
function useStock({ file, columns, shape }: RunInput) {
  const [answered, setAnswered] = useState<{ file: ImportFile; mode: ImportMode }>()
  const { data: imports } = useRecentImports(1)
  const earlier =
    imports?.items.filter(({ state }) => state === 'applied' || state === 'applying').length ?? 0
  const part = file && partOfStock({ file, mapping: columns.mapping })
  // The first file of a yard adds its parts without anyone saying so.
  const isSaid = shape.mode === 'replace' || (shape.mode === 'add' && earlier > 1)
  const isAsked = file !== undefined && part === undefined && earlier > 0 && !isSaid
  return {
    part,
    asks: isAsked && answered?.file.file !== file.file,
    /** How the yard's files with these columns are imported. */
    mode: part === undefined && isSaid ? shape.mode : undefined,
    answer: (mode: ImportMode) => file && setAnswered({ file, mode }),
  }
}

/** What a check may be given before it is stored. */
type OrderChanges = Partial<Pick<RunOrder, 'answers' | 'mode' | 'defaults'>>

/** The element with this id gets the focus. */
type SoughtField = { field: ImportField; id: string }

const orderOf = (
  { columns, defaults, edits, prepared }: RunInput,
  file: ImportFile,
  dryRun: boolean,
): RunOrder => ({
  ...prepared.options,
  file,
  mapping: columns.mapping,
  suggested: importFields.filter((field) => columns.reasons[field] !== undefined),
  defaults: withoutEmpty(defaults),
  dryRun,
  edits,
  answers: prepared.answers,
  staging: prepared.staging,
})

/** Continues once the columns of a newly chosen file are known: the tab depends on them. */
function useArrival(file: ImportFile | undefined, onArrival: () => void): () => void {
  const [isAwaited, setAwaited] = useState(false)
  const hasArrived = isAwaited && file !== undefined
  const arrive = useEffectEvent(() => {
    setAwaited(false)
    onArrival()
  })
  useEffect(() => {
    if (hasArrived) arrive()
  }, [hasArrived])
  return () => setAwaited(true)
}

/** Opens the result when a run finishes. On the result's own tab nothing happens: the user may be about to leave it. */
function useFinished(step: string, goTo: (tab: WizardTab) => void, onSent: () => void): void {
  const finished = useEffectEvent(() => {
    if (step === 'checked') goTo('validate')
    if (step !== 'sent') return
    onSent()
    goTo('results')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the run finishes
  useEffect(() => finished(), [step])
}

/** The tab is stored in the URL, so that Back and reload keep it. */
function useWizardTab() {
  const [params, setParams] = useSearchParams()
  const tab = wizardTab(params.get('tab'))
  const goTo = useCallback(
    (next: WizardTab) =>
      setParams(
        (now) => {
          const address = new URLSearchParams(now)
          address.set('tab', next)
          return address
        },
        // Don't add a history entry for the tab that is already open.
        { replace: next === tab, preventScrollReset: next === tab },
      ),
    [setParams, tab],
  )
  return [tab, goTo] as const
}

const askToReplace = (fileName: string): Promise<boolean> =>
  askToConfirm({
    title: 'Replace your stock with this file?',
    text: `Parts from your earlier imports that are not in ${fileName} will end as sold elsewhere. Parts you listed by hand are kept. You can undo the import for 30 days.`,
    confirm: 'Replace my stock',
  })
