import { Button, Group, Radio, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import type { KeyboardEvent } from 'react'
import { datasetOf, stagingRoots } from '#contract/staging.ts'
import classes from './staging.module.css'
import type { StagingPlace } from './use-staging-place.ts'

type FileToolsProps = {
  place: StagingPlace
  /** The path as the server read it, where it was typed otherwise. */
  readAs: string | undefined
  tag: string
  onTag: (tag: string) => void
  busy: { load: boolean; save: boolean; resolve: boolean; promote: boolean }
  onLoad: () => void
  onSave: () => void
  onResolve: () => void
  onPromote: () => void
}

/** Which file, and what is done with it. */
export function FileTools({ place, readAs, tag, onTag, busy, ...actions }: FileToolsProps) {
  const load = (event: KeyboardEvent) => event.key === 'Enter' && actions.onLoad()
  return (
    <div className={classes.tools}>
      <Radio.Group
        label="Root"
        value={place.root}
        onChange={(value) => place.setRoot(stagingRoots.find((name) => name === value) ?? 'ecomm')}
      >
        <Group gap="lg" mih="2.25rem">
          {stagingRoots.map((name) => (
            <Radio key={name} value={name} label={name} />
          ))}
        </Group>
      </Radio.Group>
      <TextInput
        className={classes.path ?? ''}
        label="Path"
        placeholder="/Tire_Toyota_Camry.json or absolute path"
        value={place.path}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => place.setPath(event.currentTarget.value)}
        onKeyDown={load}
      />
      <TextInput
        label="Dataset tag"
        description={undefined}
        placeholder="optional"
        title={`A label for this promotion; the rows join ${datasetOf(place.root)}`}
        value={tag}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => onTag(event.currentTarget.value)}
      />
      <Group gap="xs" className={classes.buttons ?? ''}>
        <Button variant="default" loading={busy.load} onClick={actions.onLoad}>
          Load
        </Button>
        <Button variant="default" loading={busy.save} onClick={actions.onSave}>
          Save
        </Button>
        <Button variant="default" loading={busy.resolve} onClick={actions.onResolve}>
          Resolve Taxonomy
        </Button>
        <Button loading={busy.promote} onClick={actions.onPromote}>
          Promote
        </Button>
      </Group>
      {readAs !== undefined && (
        <Text size="sm" role="note" className={`second ${classes.readAs}`}>
          {readAs}
        </Text>
      )}
    </div>
  )
}
