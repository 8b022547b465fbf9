import { Alert, Badge, Button, Group, Modal, Radio, Stack, Tabs, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { datasetOf, type StagingVersion, stagingRoots } from '#contract/admin/staging.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { Waiting } from '#web/components/page/waiting.tsx'
import { PlanCard } from '#web/screens/dashboard/admin/mission-control/preprocess/promotion/plan-card.tsx'
import {
  type StagingActions,
  useStagingActions,
} from '#web/screens/dashboard/admin/mission-control/preprocess/promotion/staging-actions.ts'
import { TaxonomyBox } from '#web/screens/dashboard/admin/mission-control/preprocess/promotion/taxonomy-box.tsx'
import { ChangedRows } from './changed-rows.tsx'
import { EditorPanel } from './editor-panel.tsx'
import { RecentFiles } from './recent-files.tsx'
import classes from './staging.module.css'
import { planStates, useVersions } from './staging-calls.ts'
import { type StagedFileDesk, type StagingPlace, useIsChanged, useStagedFile } from './use-staged-file.ts'
import { VersionsDrawer } from './versions-drawer.tsx'

/** Finds, edits, resolves, plans, promotes, and undoes staged files. */
export function StagingCard({ place }: { place: StagingPlace }) {
  const desk = useStagedFile(place)
  const { open, draft, load, saving } = desk
  const name = open.version === undefined ? undefined : { root: open.root, path: open.path }
  const versions = useVersions(name)
  const actions = useStagingActions(place, desk)
  const { promotion, plan, datasetTag } = actions
  const [showsVersions, setShowsVersions] = useState(false)
  const changed = useIsChanged(draft)
  useLeaveGuard(changed, undefined, leavesPreprocess)

  const openLinked = useEffectEvent(() => {
    if (place.linked !== '') load({ root: place.root, path: place.linked })
  })
  useEffect(() => openLinked(), [])
  const newest = versions.data?.items[0]
  const [tab, show] = useTab(actions)
  return (
    <>
      <StagingArea>
        <FileTools place={place} desk={desk} actions={actions} onLoad={() => show('file')} />
        <StagingTabs
          shown={tab}
          onShow={show}
          planState={plan ? planStates[plan.state][0] : undefined}
          taxonomy={<TaxonomyBox actions={actions} />}
          plan={
            name ? (
              <PlanCard
                name={name}
                version={newest?.version ?? open.version ?? 1}
                plan={plan}
                calls={promotion}
                onPromote={(planId) => promotion.promoting.mutate({ ...name, datasetTag, planId })}
              />
            ) : (
              <Text className="second">Load a file to plan its promotion.</Text>
            )
          }
        >
          <div className={classes.desk}>
            <RecentFiles root={place.root} current={open.path} onChoose={load} />
            <Stack gap="sm" miw={0}>
              {name &&
                newest &&
                open.version !== undefined &&
                newest.version > open.version &&
                !saving.isPending && (
                  <NewerVersion
                    newest={newest}
                    shown={open.version}
                    onLoad={() => load(name)}
                    onCompare={() => setShowsVersions(true)}
                  />
                )}
              <EditorPanel desk={desk} onVersions={() => setShowsVersions(true)} />
            </Stack>
          </div>
        </StagingTabs>
      </StagingArea>
      {name && (
        <VersionsDrawer
          name={name}
          desk={desk}
          opened={showsVersions}
          onClose={() => setShowsVersions(false)}
        />
      )}
      <StaleDialog desk={desk} />
    </>
  )
}

/** Another view of Mission Control closes the editor too. */
const leavesPreprocess = (now: URLSearchParams, next: URLSearchParams) => now.get('view') !== next.get('view')

export function StagingArea({ children }: { children: ReactNode }) {
  return (
    <SectionCard title="Manage Recent Staging Files" className={classes.card ?? ''}>
      {children}
    </SectionCard>
  )
}

type Tab = 'file' | 'taxonomy' | 'plan'

/** The shown tab. Resolving, planning and promoting bring their results into view. */
function useTab({ taxonomy, promotion }: StagingActions): [Tab, (tab: Tab) => void] {
  const [tab, show] = useState<Tab>('file')
  const { planning, promoting, undoing } = promotion
  const isPlanning = [planning, promoting, undoing].some(({ isPending }) => isPending)
  const working = (taxonomy.resolving.isPending && 'taxonomy') || (isPlanning && 'plan') || undefined
  const [before, setBefore] = useState<Tab>()
  if (working !== before) {
    setBefore(working)
    if (working) show(working)
  }
  return [tab, show]
}

type StagingTabsProps = {
  shown: Tab
  onShow: (tab: Tab) => void
  planState: string | undefined
  taxonomy: ReactNode
  plan: ReactNode
  /** The file itself. */
  children: ReactNode
}

/** The open file, its names, and its plan: one at a time, so that the page stays short. All keep their state. */
function StagingTabs({ shown, onShow, planState, taxonomy, plan, children }: StagingTabsProps) {
  return (
    <Tabs value={shown} onChange={(tab) => onShow(tab as Tab)} keepMounted>
      <Tabs.List mb="md">
        <Tabs.Tab value="file">File</Tabs.Tab>
        <Tabs.Tab value="taxonomy">Taxonomy</Tabs.Tab>
        <Tabs.Tab value="plan" rightSection={planState !== undefined && <Badge size="sm">{planState}</Badge>}>
          Plan
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="file">{children}</Tabs.Panel>
      <Tabs.Panel value="taxonomy">{taxonomy}</Tabs.Panel>
      <Tabs.Panel value="plan">{plan}</Tabs.Panel>
    </Tabs>
  )
}

type FileToolsProps = {
  place: StagingPlace
  desk: StagedFileDesk
  actions: StagingActions
  onLoad: () => void
}

function FileTools({ place, desk, actions, onLoad }: FileToolsProps) {
  const { taxonomy, promotion, readAs } = actions
  const load = () => {
    onLoad()
    desk.load(place)
  }
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
        label="Path"
        placeholder="/Tire_Toyota_Camry.json or absolute path"
        value={place.path}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => place.setPath(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && load()}
      />
      <TextInput
        label="Dataset tag"
        placeholder="optional"
        title={`A label for this promotion; the rows go to ${datasetOf(place.root)}`}
        value={actions.datasetTag}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => actions.setDatasetTag(event.currentTarget.value)}
      />
      <Group gap="xs" className={classes.buttons ?? ''}>
        <Button variant="default" loading={desk.loading.isPending} onClick={load}>
          Load
        </Button>
        <Button variant="default" loading={desk.saving.isPending} onClick={() => void desk.save()}>
          Save
        </Button>
        <Button variant="default" loading={taxonomy.isBusy} onClick={actions.resolve}>
          Resolve Taxonomy
        </Button>
        <Button loading={promotion.promoting.isPending} onClick={actions.promote}>
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

type NewerVersionProps = { newest: StagingVersion; shown: number; onLoad: () => void; onCompare: () => void }

/** A script, the taxonomy resolver, or another user created a newer version. */
function NewerVersion({ newest, shown, onLoad, onCompare }: NewerVersionProps) {
  return (
    <Alert color="sea" variant="light" role="status">
      <Group justify="space-between" gap="sm">
        <Text>
          Version {newest.version} by {newest.author ?? 'the program'} ({newest.message}) is newer than
          version {shown} shown here.
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onCompare}>
            Compare
          </Button>
          <Button size="xs" onClick={onLoad}>
            Load it
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}

/** Another user saved first: shows their changes and lets this user choose. */
function StaleDialog({ desk }: { desk: StagedFileDesk }) {
  const { stale, setStale, saving, loading } = desk
  const versions = useVersions(stale && { root: stale.root, path: stale.path })
  if (!stale) return null
  const { root, path, version: mine } = stale
  const [last] = versions.data?.items ?? []
  // The list may be from before that save.
  const newest = last && last.version > (mine ?? 0) ? last : undefined
  return (
    <Modal opened onClose={() => setStale(undefined)} title="Also changed by someone else" size="xl">
      <Stack>
        {!newest || mine === undefined ? (
          <Waiting />
        ) : (
          <>
            <Text>
              {newest.author ?? 'The program'} created version {newest.version} ({newest.message}) while you
              edited version {mine}. These are the differences; your own changes are still in the editor.
            </Text>
            <ChangedRows name={{ root, path }} from={mine} to={newest.version} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setStale(undefined)}>
            Decide later
          </Button>
          <Button variant="default" loading={loading.isPending} onClick={() => loading.start({ root, path })}>
            Load theirs
          </Button>
          <Button
            loading={saving.isPending}
            disabled={!newest}
            onClick={() => newest && saving.mutate({ ...stale, version: newest.version })}
          >
            Keep mine as the newest
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
