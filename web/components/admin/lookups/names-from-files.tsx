import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'
import classes from './lookup-desk.module.css'
import { LookupLine } from './lookup-list.tsx'
import type { LookupControls } from './lookup-state.ts'
import { fullName, kindWords } from './lookup-words.ts'
import { useLookupChanges, useManagedLookups } from './managed-lookups.ts'

/** As many as can be decided in one go without scrolling the list below out of sight. */
const shown = 8

type NamesFromFilesProps = {
  kind: LookupKind
  list: LookupControls
  onChoose: (lookup: ManagedLookup) => void
}

/** Names that came with imported files and wait for a decision; nothing where there are none. */
export function NamesFromFiles({ kind, list, onChoose }: NamesFromFilesProps) {
  const { q, manuId } = list.filters
  const { data } = useManagedLookups(kind, { q, manuId, state: 'provisional', page: 1, perPage: shown })
  const { confirming } = useLookupChanges(kind, () => undefined)
  if (!data || data.items.length === 0 || list.page > 1) return null
  return (
    <section className={classes.waiting} aria-labelledby="names-from-files">
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} size="h4" id="names-from-files">
            {data.total.toLocaleString('en-US')} new from files
          </Title>
          <Text size="sm" className="second">
            Their listings use them already; everybody else can choose them once you confirm.
          </Text>
        </div>
        {data.total > shown && (
          <Anchor component="button" type="button" onClick={() => list.change({ state: 'provisional' })}>
            See all {kindWords[kind].many} from files
          </Anchor>
        )}
      </Group>
      <ul className={classes.lines}>
        {data.items.map((lookup) => (
          <LookupLine
            key={lookup.id}
            lookup={lookup}
            onChoose={onChoose}
            actions={
              <Group gap="xs" wrap="nowrap" className={classes.decide}>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => confirming.mutate(lookup)}
                  loading={confirming.isPending && confirming.variables.id === lookup.id}
                  aria-label={`Confirm ${fullName(lookup)}`}
                >
                  Confirm
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onChoose(lookup)}
                  aria-label={`Merge ${fullName(lookup)}`}
                >
                  Merge
                </Button>
              </Group>
            }
          />
        ))}
      </ul>
    </section>
  )
}
