import { Text } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import { formatCount } from './import-words.ts'

type Names = NonNullable<ImportRecord['plan']>['newNames']

const kinds: [kind: keyof Names, one: string, many: string][] = [
  ['category', 'category', 'categories'],
  ['manufacturer', 'manufacturer', 'manufacturers'],
  ['model', 'model', 'models'],
]
const SHOWN = 12

/** Names of the file that nobody knew so far: a slip of the hand is seen here. */
export function NewNames({ names }: { names: Names }) {
  const found = kinds.filter(([kind]) => names[kind].length > 0)
  if (found.length === 0) return null
  return (
    <div>
      <Text fw={600}>Names that are new here</Text>
      {found.map(([kind, one, many]) => {
        const all = names[kind]
        const more = all.length > SHOWN ? ` and ${formatCount(all.length - SHOWN)} more` : ''
        return (
          <Text key={kind} size="sm" className="second">
            {formatCount(all.length)} {all.length === 1 ? one : many}: {all.slice(0, SHOWN).join(', ')}
            {more}
          </Text>
        )
      })}
    </div>
  )
}
