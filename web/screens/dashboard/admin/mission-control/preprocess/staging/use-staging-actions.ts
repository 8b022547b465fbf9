import { notifyProblem } from '#web/components/toasts.tsx'
import { asJsonPath } from './staged-file.ts'
import { type StagedName, usePlan } from './staging-calls.ts'
import { isOpenPlan } from './staging-words.ts'
import { isChanged } from './use-open-file.ts'
import { usePromotion } from './use-promotion.ts'
import { PATH_NEEDED, type StagedFileDesk } from './use-staged-file.ts'
import type { StagingPlace } from './use-staging-place.ts'
import { useTaxonomy } from './use-taxonomy.ts'

/** Resolve and Promote, for the path in the box; they work on what is saved. */
export function useStagingActions(place: StagingPlace, desk: StagedFileDesk) {
  const { open, draft } = desk
  const opened = open.version === undefined ? undefined : { root: open.root, path: open.path }
  const isOpen = (name: StagedName) => isSame(name, open)
  const inBox = () => ({ root: place.root, path: asJsonPath(place.path.trim()) })
  const taxonomy = useTaxonomy(opened, (name, asked) => {
    // Names may be resolved for minutes: who went on to another file stays there.
    if (isOpen(name) || (asked && isSame(asked, inBox()))) desk.showNewest(name)
  })
  const promotion = usePromotion()
  const { data: plan } = usePlan(opened)

  /** The file that is meant; undefined, and said why, where nothing can be done with it now. */
  const meant = (): StagedName | undefined => {
    const name = inBox()
    if (name.path === '') {
      notifyProblem(PATH_NEEDED, { about: 'staging' })
      return undefined
    }
    if (isOpen(name) && isChanged(draft)) {
      notifyProblem('Save your changes first: this works on what is saved', { about: 'staging' })
      return undefined
    }
    return name
  }
  const resolve = () => {
    const name = meant()
    if (name) taxonomy.resolving.mutate({ ...name, version: isOpen(name) ? open.version : undefined })
  }
  const promote = (datasetTag: string) => {
    const name = meant()
    if (!name) return
    const seen =
      isOpen(name) && plan && isOpenPlan(plan) && plan.version === open.version ? plan.id : undefined
    promotion.promoting.mutate({ ...name, datasetTag, planId: seen })
  }
  return { taxonomy, promotion, plan, resolve, promote, readAs: readAsOf(desk) }
}

const isSame = (one: StagedName, other: StagedName) => one.root === other.root && one.path === other.path

/** What the server made of a path that was typed otherwise (spec, section 5). */
function readAsOf({ loading }: StagedFileDesk): string | undefined {
  const [typed, file] = [loading.load?.path, loading.file]
  if (!file || typed === undefined || asJsonPath(typed) === file.path) return undefined
  return `“${typed}” was read as ${file.path}`
}
