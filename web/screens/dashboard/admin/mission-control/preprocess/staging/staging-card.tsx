import { Stack } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLeaveGuard } from '#web/components/leave-guard.ts'
import { EditorPanel } from './editor-panel.tsx'
import { FileTools } from './file-tools.tsx'
import { NewerVersion } from './newer-version.tsx'
import { PlanCard } from './plan-card.tsx'
import { RecentFiles } from './recent-files.tsx'
import classes from './staging.module.css'
import { StagingArea } from './staging-area.tsx'
import { useVersions } from './staging-calls.ts'
import { StaleDialog } from './stale-dialog.tsx'
import { TaxonomyBox } from './taxonomy-box.tsx'
import { useIsChanged } from './use-is-changed.ts'
import { useStagedFile } from './use-staged-file.ts'
import { useStagingActions } from './use-staging-actions.ts'
import type { StagingPlace } from './use-staging-place.ts'
import { VersionsDrawer } from './versions-drawer.tsx'

/** Staged files: found, opened, edited, resolved, planned, promoted and taken back. */
export function StagingCard({ place }: { place: StagingPlace }) {
  const desk = useStagedFile(place)
  const { open, draft, load, loading, saving } = desk
  const name = open.version === undefined ? undefined : { root: open.root, path: open.path }
  const versions = useVersions(name)
  const actions = useStagingActions(place, desk)
  const { taxonomy, promotion, plan } = actions
  const [tag, setTag] = useState('')
  const [showsVersions, setShowsVersions] = useState(false)
  const changed = useIsChanged(draft)
  useLeaveGuard(changed, undefined, leavesPreprocess)

  const openLinked = useEffectEvent(() => {
    if (place.linked !== '') load({ root: place.root, path: place.linked })
  })
  useEffect(() => openLinked(), [])
  const newest = versions.data?.items[0]
  const reload = () => name && load(name)
  return (
    <>
      <StagingArea>
        <FileTools
          place={place}
          readAs={actions.readAs}
          tag={tag}
          onTag={setTag}
          busy={{
            load: loading.isPending,
            save: saving.isPending,
            resolve: taxonomy.isBusy,
            promote: promotion.promoting.isPending,
          }}
          onLoad={() => load(place)}
          onSave={() => void desk.save()}
          onResolve={actions.resolve}
          onPromote={() => actions.promote(tag)}
        />
        <div className={classes.desk}>
          <RecentFiles root={place.root} current={open.path} onChoose={load} />
          <Stack gap="sm" miw={0}>
            {newest && open.version !== undefined && newest.version > open.version && !saving.isPending && (
              <NewerVersion
                newest={newest}
                shown={open.version}
                onLoad={() => reload()}
                onCompare={() => setShowsVersions(true)}
              />
            )}
            <EditorPanel desk={desk} onVersions={() => setShowsVersions(true)} />
          </Stack>
        </div>
      </StagingArea>
      <div className={`${classes.whole} ${classes.results}`}>
        <TaxonomyBox {...taxonomy} onJobEnd={() => void taxonomy.jobEnded()} onAgain={actions.resolve} />
        {name && (
          <PlanCard
            name={name}
            version={newest?.version ?? open.version ?? 1}
            plan={plan}
            calls={promotion}
            onPromote={(planId) => promotion.promoting.mutate({ ...name, datasetTag: tag, planId })}
          />
        )}
      </div>
      {name && (
        <VersionsDrawer
          name={name}
          opened={showsVersions}
          onClose={() => setShowsVersions(false)}
          isChanged={changed}
          onRestored={(restored, mayDropChanges) => {
            setShowsVersions(false)
            const isOpen = restored.root === open.root && restored.path === open.path
            if (isOpen) desk.showNewest(restored, mayDropChanges)
          }}
        />
      )}
      <StaleDialog desk={desk} />
    </>
  )
}

/** Going to another view of Mission Control closes the editor as well. */
const leavesPreprocess = (now: URLSearchParams, next: URLSearchParams) => now.get('view') !== next.get('view')
