import type { FlagsOf } from '#contract/scripts.ts'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { nameKey } from '#server/features/lookups/lookup-names.ts'
import type { NamedRecord } from './name-plan.ts'

type Wish = Pick<FlagsOf<'naming-optimizer'>, 'target' | 'category' | 'manufacturer' | 'model'>

const kinds: Record<Exclude<Wish['target'], 'all' | undefined>, LookupKind> = {
  category: 'category',
  manufacturer: 'manufacturer',
  model: 'car_model',
}

/** Whether a name is one of those asked for. Where names are given, kinds without one are left out. */
export function isWanted(kind: LookupKind, record: NamedRecord, wish: Wish): boolean {
  const { target = 'all', category, manufacturer, model } = wish
  if (target !== 'all' && kinds[target] !== kind) return false
  const goesBy = (wanted: string | undefined, name: string | null, aliases: readonly string[] = []) =>
    wanted === undefined || [name ?? '', ...aliases].some((each) => nameKey(each) === nameKey(wanted))
  switch (kind) {
    case 'category':
      return (
        (category !== undefined || (manufacturer === undefined && model === undefined)) &&
        goesBy(category, record.name, record.aliases)
      )
    case 'manufacturer':
      return (
        (manufacturer !== undefined || (category === undefined && model === undefined)) &&
        goesBy(manufacturer, record.name, record.aliases)
      )
    case 'car_model':
      return (
        (manufacturer !== undefined || model !== undefined || category === undefined) &&
        goesBy(manufacturer, record.manufacturer) &&
        goesBy(model, record.name, record.aliases)
      )
  }
}
