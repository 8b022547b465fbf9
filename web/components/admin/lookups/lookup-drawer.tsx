import { Button, Stack, Text } from '@mantine/core'
import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { Moment } from '#web/components/admin/moment.tsx'
import { SideDrawer, useLastChosen } from '#web/components/admin/side-drawer.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { fullName, isUnused, kindWords, usageWords } from './lookup-words.ts'
import { type LookupChanges, useLookupChanges } from './managed-lookups.ts'
import { MergeForm } from './merge-form.tsx'
import { RenameForm } from './rename-form.tsx'

type LookupDrawerProps = { kind: LookupKind; chosen: ManagedLookup | undefined; onClose: () => void }

/** What can be done with one name, beside the list it stands in. */
export function LookupDrawer({ kind, chosen, onClose }: LookupDrawerProps) {
  const last = useLastChosen(chosen)
  const changes = useLookupChanges(kind, onClose)
  return (
    <SideDrawer opened={chosen !== undefined} onClose={onClose} title={last && fullName(last)} width="28rem">
      {last && <Choices key={last.id} kind={kind} lookup={last} changes={changes} onClose={onClose} />}
    </SideDrawer>
  )
}

type ChoicesProps = { kind: LookupKind; lookup: ManagedLookup; changes: LookupChanges; onClose: () => void }

function Choices({ kind, lookup, changes, onClose }: ChoicesProps) {
  const { confirming } = changes
  return (
    <Stack gap="lg" pb="lg">
      <Facts
        facts={[
          { name: 'Used by', value: usageWords(lookup) },
          { name: 'Also known as', value: lookup.aliases.join(', ') || 'nothing else' },
          { name: 'Since', value: <Moment at={lookup.createdAt} /> },
        ]}
      />
      {!lookup.confirmed && (
        <Stack gap="xs" align="flex-start">
          <Text>
            This name came with a file. Confirm it, so that everybody can choose it, or merge it into the name
            it means.
          </Text>
          <Button
            onClick={() => confirming.mutate(lookup, { onSuccess: onClose })}
            loading={confirming.isPending}
          >
            Confirm name
          </Button>
        </Stack>
      )}
      <RenameForm kind={kind} lookup={lookup} renaming={changes.renaming} onDone={onClose} />
      <MergeForm kind={kind} lookup={lookup} merging={changes.merging} />
      <DeleteName kind={kind} lookup={lookup} deleting={changes.deleting} />
    </Stack>
  )
}

type DeleteNameProps = { kind: LookupKind; lookup: ManagedLookup; deleting: LookupChanges['deleting'] }

function DeleteName({ kind, lookup, deleting }: DeleteNameProps) {
  const { one } = kindWords[kind]
  const unused = isUnused(lookup)
  const ask = async () => {
    const sure = await askToConfirm({
      title: `Delete the ${one} “${fullName(lookup)}”?`,
      text: 'Nothing uses it. Its other names go with it.',
      confirm: `Delete ${one}`,
      destroys: true,
    })
    if (sure) deleting.mutate(lookup)
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="light"
        color="bad"
        onClick={() => void ask()}
        loading={deleting.isPending}
        disabled={!unused}
        aria-describedby="delete-hint"
      >
        Delete {one}
      </Button>
      <Text size="sm" className="second" id="delete-hint">
        {unused
          ? 'Nothing uses it.'
          : `Cannot be deleted while it is used by ${usageWords(lookup)}. Merge it into another instead.`}
      </Text>
    </Stack>
  )
}
