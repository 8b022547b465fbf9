import { Alert, Badge, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { accountEndpoints, type Factor, factorEndpoints } from '#contract/account/accounts.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { canUsePasskeys, makePasskey, PasskeyError } from '#web/api/passkeys.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { timeAgo } from '#web/components/time-words.ts'
import { notifyDone, notifyError, notifyProblem } from '#web/components/toasts.tsx'
import { safeReturnPath, twoStepCard } from '#web/paths.ts'
import classes from './devices.module.css'
import { type NewApp, TotpDialog } from './totp-dialog.tsx'

const place = 'top-center'
const about = 'two-step'

type Factors = Answer<typeof factorEndpoints.listFactors>

export function TwoStepCard() {
  const card = useRef<HTMLDivElement>(null)
  const { hash } = useLocation()
  const factors = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => call(factorEndpoints.listFactors, { signal }),
  })
  const isLoaded = factors.data !== undefined
  useEffect(() => {
    if (isLoaded && hash === `#${twoStepCard}`) card.current?.scrollIntoView()
  }, [isLoaded, hash])
  return (
    <div ref={card} id={twoStepCard}>
      <SectionCard
        title="Two-step sign-in"
        lead="Besides your password, sign-in asks for a passkey or a code from your phone."
        aside={factors.data && <Badge size="md">{factors.data.items.length > 0 ? 'On' : 'Off'}</Badge>}
      >
        <Loaded
          query={factors}
          failure="Unable to load your second steps"
          waiting={<Skeleton height={64} role="status" aria-label="Loading your second steps…" />}
        >
          {(loaded) => <SecondSteps factors={loaded} />}
        </Loaded>
      </SectionCard>
    </div>
  )
}

function SecondSteps({ factors }: { factors: Factors }) {
  const { items, recoveryCodesLeft, required, passkeysAt } = factors
  const { codes, show, close, refresh } = useShownCodes()
  const [app, setApp] = useState<NewApp>()
  const onAdded = ({ recoveryCodes }: { recoveryCodes?: string[] | undefined }) => {
    setApp(undefined)
    refresh()
    notifyDone('Second step added', { place, about })
    if (recoveryCodes) show(recoveryCodes)
  }
  const starting = useMutation({
    mutationFn: () => call(factorEndpoints.startTotp),
    onSuccess: setApp,
    onError: (error) => notifyError(error, 'Could not start. Please try again.', { place, about }),
  })
  const passkey = useMutation({ mutationFn: addPasskey, onSuccess: onAdded, onError: reportPasskey })
  const replacing = useMutation({
    mutationFn: () => call(factorEndpoints.replaceRecoveryCodes),
    onSuccess: ({ recoveryCodes }) => {
      refresh()
      show(recoveryCodes)
    },
    onError: (error) => notifyError(error, 'Could not make new codes', { place, about }),
  })
  return (
    <>
      {required && items.length === 0 && (
        <Alert color="sea" variant="light" radius="lg" role="status">
          Administrators need two-step sign-in here. Add a passkey or an app to continue.
        </Alert>
      )}
      {items.length > 0 && (
        <ul className={classes.devices}>
          {items.map((factor) => (
            <FactorLine key={factor.id} factor={factor} isLast={items.length === 1} onRemoved={refresh} />
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <Text className="second">
          Recovery codes left: {recoveryCodesLeft}. One of them signs you in if you lose your phone.
        </Text>
      )}
      <Group gap="sm">
        {canUsePasskeys(passkeysAt) && (
          <Button variant="default" onClick={() => passkey.mutate()} loading={passkey.isPending}>
            Add a passkey
          </Button>
        )}
        <Button variant="default" onClick={() => starting.mutate()} loading={starting.isPending}>
          Add an authenticator app
        </Button>
        {items.length > 0 && (
          <Button variant="default" onClick={() => replacing.mutate()} loading={replacing.isPending}>
            New recovery codes
          </Button>
        )}
      </Group>
      <TotpDialog app={app} onClose={() => setApp(undefined)} onAdded={onAdded} />
      <RecoveryCodes codes={codes} onClose={close} />
    </>
  )
}

/** Codes just made, until the person has saved them; then back to the page that sent them here. */
function useShownCodes() {
  const [codes, setCodes] = useState<string[]>()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return {
    codes,
    show: setCodes,
    close: () => {
      setCodes(undefined)
      const from = safeReturnPath(search.get('from'))
      if (from !== undefined) void navigate(from, { replace: true })
    },
    refresh: () => {
      for (const key of ['factors', 'sessions', accountEndpoints.adminCheck.path]) {
        void queryClient.invalidateQueries({ queryKey: [key] })
      }
    },
  }
}

async function addPasskey() {
  const { ticket, options } = await call(factorEndpoints.startPasskey)
  return call(factorEndpoints.addPasskey, { body: { ticket, credential: await makePasskey(options) } })
}

function reportPasskey(error: Error): void {
  if (error instanceof PasskeyError) notifyProblem(error.message, { place, about })
  else notifyError(error, 'Could not add the passkey', { place, about })
}

type FactorLineProps = { factor: Factor; isLast: boolean; onRemoved: () => void }

function FactorLine({ factor: { id, name, createdAt, lastUsedAt }, isLast, onRemoved }: FactorLineProps) {
  const removing = useMutation({
    mutationFn: () => call(factorEndpoints.removeFactor, { params: { id } }),
    onSuccess: () => {
      notifyDone('Second step removed', { place, about })
      onRemoved()
    },
    onError: (error) => notifyError(error, 'Could not remove it', { place, about }),
  })
  const remove = async () => {
    const sure = await askToConfirm({
      title: `Remove “${name}”?`,
      text: isLast
        ? 'It is your only second step. Without it, your password alone signs in, and your recovery codes stop working.'
        : 'It will no longer sign you in.',
      confirm: 'Remove',
      destroys: true,
    })
    if (sure) removing.mutate()
  }
  const now = new Date()
  const [when, words] = lastUsedAt ? [lastUsedAt, 'Last used'] : [createdAt, 'Added']
  return (
    <li>
      <div>
        <Text fw={600}>{name}</Text>
        <Text size="sm" className="second">
          <time dateTime={when}>
            {words} {timeAgo(when, now)}
          </time>
        </Text>
      </div>
      <Button
        variant="default"
        size="xs"
        flex="none"
        onClick={() => void remove()}
        loading={removing.isPending}
        aria-label={`Remove ${name}`}
      >
        Remove
      </Button>
    </li>
  )
}

/** New recovery codes, shown only once. Only its button closes it, so that a stray click can't lose them. */
function RecoveryCodes({ codes, onClose }: { codes: string[] | undefined; onClose: () => void }) {
  const text = (codes ?? []).join('\n')
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    notifyDone('Codes copied', { place: 'top-center', about: 'two-step' })
  }
  return (
    <Modal
      opened={codes !== undefined}
      onClose={onClose}
      title="Save your recovery codes"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Text>
          Each code signs you in once, if you lose your phone or passkey. Keep them where you will find them.
          They are not shown again.
        </Text>
        <pre className={classes.codes}>{text}</pre>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => void copy()}>
            Copy
          </Button>
          <Button
            variant="default"
            onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'recovery-codes.txt')}
          >
            Download
          </Button>
          <Button onClick={onClose}>I saved them</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
