import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { User } from '#contract/account/accounts.ts'
import { type ImportField, isMapped } from '#contract/csv/import-fields.ts'
import type { ImportMode } from '#contract/imports.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { useStock } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/use-stock.ts'
import { isKnown } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/use-columns.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { KeptImport } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/kept-import.ts'
import {
  type ImportRun,
  type RunState,
  useImportRun,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import { type OrderDraft, orderOf, useKeptDraft, useOrderDraft } from './order-draft.ts'
import { useWizardTab } from './use-wizard-tab.ts'
import { isReady, obstacleOf, tabsDone, type WizardTab } from './wizard-tabs.ts'

export type Wizard = ReturnType<typeof useWizard>

/** The page's state, shared by all tabs: the file, its settings and the run. */
export function useWizard(user: User) {
  const places = useWizardTab()
  const { tab, open } = places
  const run = useImportRun(restore)
  const { state } = run
  const input = useOrderDraft(user, () => {
    if (state.step === 'checked' || state.step === 'failed' || isByItself(state)) run.reset()
  })
  const { opened, prepared, ...shared } = input
  const file = input.file
  const reviewed = { ...input, isKnown: isKnown(input.shape) }
  const isPaid = user.sellerTier === 'PAID'
  const stock = useStock(input)
  const arrive = useSignInRedirect(file, () => {
    prepared.fillDefaults(input.shape.defaults)
    if (isPaid && stock.mode === 'replace') prepared.setOptions({ ...prepared.options, mode: 'replace' })
    // An administrator's preview cannot run.
    places.arrival.end(isPaid && isReady(reviewed) ? 'run' : 'mapping')
  })
  const { tries, ...starting } = useStarting(input, { run, open, onChoose: places.arrival.begin, arrive })
  /** Restores the file and settings of a run started before a reload. */
  function restore({ phase, order }: KeptImport): void {
    if (opened.chosen.step !== 'none' || opened.chosen.problem !== undefined) return
    opened.adopt(order)
    prepared.adopt(order)
    // A resumed run may not have started yet, so don't rely on its state.
    if (tab === 'guide' && phase !== 'draft') open(order.dryRun ? 'validate' : 'run')
  }
  const isDraft = file && (state.step === 'idle' || state.step === 'checked')
  useKeptDraft(isDraft ? orderOf(input, file, true) : undefined)
  const isSought = tab === 'run' || !isByItself(state)
  useFinished(state.step, (next) => next !== tab && open(next), { onSent: prepared.sent, isSought })

  return {
    ...shared,
    ...starting,
    user,
    /** The rows were checked exactly as they would be imported now; if not, whether that may begin by itself. */
    isSeen: isCheckOf(state, input),
    mayCheck: isPaid && !stock.asks && input.editsRead,
    /** An administrator without the plan, who can check but not import. */
    preview: !isPaid,
    ...{ tab, goTo: places.goTo },
    run,
    /** An upload is running, so nothing can be changed. */
    locked: state.step === 'sending' && !isByItself(state),
    unsaved: input.unsaved && state.step !== 'sent',
    tries,
    /** The tabs where nothing is left to do. */
    done: tabsDone(reviewed, state),
    /** Why the rows cannot be checked or sent, once the user tried. */
    obstacle: tries > 0 ? obstacleOf(input) : undefined,
    /** Whether the seller has to say if the file is all of the stock. */
    asksStock: isPaid && stock.asks,
    answerStock(mode: ImportMode): void {
      stock.answered()
      starting.checkWith({ mode })
    },
    /** Why this file can't be all of the stock. */
    partOfStock: stock.part,
    sought: places.sought,
    /** Opens the choice of a field's column, or its value for all rows if it has one. */
    seek(field: ImportField): void {
      const isDefault = !isMapped(input.columns.mapping, field) && Boolean(input.defaults[field]?.trim())
      places.seek(field, isDefault ? 'defaults' : 'mapping')
    },
  }
}

type Around = {
  run: ImportRun
  open: (tab: WizardTab) => void
  onChoose: () => void
  arrive: () => void
}

/** Choosing a file, checking it and importing it. */
function useStarting(input: OrderDraft, { run, open, onChoose, arrive }: Around) {
  const { file, opened, prepared } = input
  const { state } = run
  /** How often the user tried to continue. */
  const [tries, setTries] = useState(0)
  const checked = useRef<{ file: File; mapping: string }>(undefined)
  const obstacle = obstacleOf(input)

  /** Whether no check of this file and choice of columns began yet; from now on one has. */
  function isNew(): boolean {
    const mapping = JSON.stringify(input.columns.mapping)
    const isSame = checked.current?.file === file?.file && checked.current?.mapping === mapping
    checked.current = file && { file: file.file, mapping }
    return !isSame
  }
  function start(dryRun: boolean, changes: OrderChanges = {}): void {
    setTries(tries + 1)
    isNew()
    if (file && !obstacle) void run.start({ ...orderOf(input, file, dryRun), ...changes })
    const next = dryRun ? 'validate' : 'run'
    open(file && !obstacle ? next : (obstacle?.tab ?? 'upload'))
  }
  async function startImport(): Promise<void> {
    // What would go live is seen first, as finished listings.
    if (!isCheckOf(state, input)) return start(true)
    // After a check the page itself says how many parts end.
    const isCounted = state.order.mode === 'replace' && Boolean(state.result.plan)
    const asks = prepared.options.mode === 'replace' && !isCounted && file !== undefined && !obstacle
    if (!asks || (await askToReplace(file.file.name))) start(false)
  }
  async function choose(next: File): Promise<void> {
    if (state.step === 'sending' && !isByItself(state)) return
    run.reset()
    setTries(0)
    prepared.begin()
    onChoose()
    if (await opened.choose(next)) arrive()
  }
  return {
    tries,
    choose: (next: File) => void choose(next),
    check: () => start(true),
    /** Checks the rows without being asked, once for each file and choice of columns. */
    checkOnce(): void {
      if (!file || obstacle || !isNew()) return
      void run.start({ ...orderOf(input, file, true), byItself: true })
    },
    /** Checks with answers, a mode or defaults that were just given. */
    checkWith({ answers, ...changes }: OrderChanges): void {
      if (answers) prepared.addAnswers(answers)
      if (changes.defaults) prepared.setDefaults(changes.defaults)
      if (changes.mode) prepared.setOptions({ ...prepared.options, mode: changes.mode })
      start(true, { ...changes, answers: { ...prepared.answers, ...answers } })
    },
    /** Asks before replacing stock. */
    startImport: () => void startImport(),
  }
}

/** A check that began without anyone asking for it, running or done. */
const isByItself = (state: RunState): boolean =>
  (state.step === 'sending' || state.step === 'checked') && state.order.byItself === true

type CheckedRun = Extract<RunState, { step: 'checked' }>

/** Whether the last check covers the current file and mode. Changing columns, values or reading settings discards its result. */
const isCheckOf = (state: RunState, { file, options }: OrderDraft): state is CheckedRun =>
  state.step === 'checked' && state.order.file.file === file?.file && state.order.mode === options.mode

/** What a check may be given before it is stored. */
type OrderChanges = Partial<Pick<RunOrder, 'answers' | 'mode' | 'defaults'>>

/** Continues once the columns of a newly chosen file are known: the tab depends on them. */
function useSignInRedirect(file: ImportFile | undefined, onArrival: () => void): () => void {
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

type Finishing = {
  onSent: () => void /** Whether the user waits for the result of a check. */
  isSought: boolean
}

/** Opens the result when a run finishes. On the result's own tab nothing happens: the user may be about to leave it. */
function useFinished(step: string, goTo: (tab: WizardTab) => void, { onSent, isSought }: Finishing): void {
  const finished = useEffectEvent(() => {
    if (step === 'checked' && isSought) goTo('validate')
    if (step !== 'sent') return
    onSent()
    goTo('results')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the run finishes
  useEffect(() => finished(), [step])
}

const askToReplace = (fileName: string): Promise<boolean> =>
  askToConfirm({
    title: 'Replace your stock with this file?',
    text: `Parts from your earlier files that are no longer in ${fileName} are taken down. Parts you listed by hand are kept. You can undo the import for 30 days.`,
    confirm: 'Replace my stock',
  })
