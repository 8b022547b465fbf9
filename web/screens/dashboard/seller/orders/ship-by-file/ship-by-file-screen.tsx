import {
  Alert,
  Button,
  FileButton as FilePicker,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  type ShippingField,
  type ShippingReply,
  shippingEndpoints,
} from '#contract/order/shipping/shipping-list.ts'
import { call, upload } from '#web/api/client.ts'
import { errorSentence } from '#web/api/failures.ts'
import { FileButton } from '#web/components/downloads.tsx'
import { PageDrop } from '#web/components/form/page-drop.tsx'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { Page, Trail } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { paths } from '#web/paths.ts'
import { countOf, ordersInWords, ShippingRows, summaryOf } from './shipping-rows.tsx'

type Columns = Partial<Record<ShippingField, string>>
type Sent = { file: File; columns: Columns; dryRun: boolean }

/** Marks many orders as shipped by a file, after showing what each of its rows would do. */
export function Component() {
  const shipping = useShipping()
  const { busy, choose, result } = shipping
  return (
    <Page
      title="Ship by File"
      lead="Mark many orders as shipped with one file: order numbers, carriers, and tracking numbers."
    >
      <Trail links={[{ to: paths.sellerOrders, label: 'Orders' }]} here="Ship by file" />
      <Stack gap="lg">
        {!result && <ListCard />}
        {!(result && !result.dryRun) && <FileCard shipping={shipping} />}
        {shipping.problem !== undefined && (
          <Alert color="bad" variant="light" role="alert">
            {shipping.problem}
          </Alert>
        )}
        {result && <ResultCard shipping={shipping} result={result} />}
      </Stack>
      <PageDrop
        onDrop={({ files: [file] }) => file && choose(file)}
        words="Drop your file anywhere"
        isOpen={() => !busy}
      />
    </Page>
  )
}

type Shipping = ReturnType<typeof useShipping>

function useShipping() {
  const queryClient = useQueryClient()
  const [sent, setSent] = useState<Sent>()
  // What was last read stays while the next answer is awaited.
  const [result, setResult] = useState<ShippingReply>()
  const sending = useSingleMutation({
    mutationFn: ({ file, columns, dryRun }: Sent) =>
      upload(shippingEndpoints.shipByFile, {
        ...(dryRun && { query: { dryRun: '1' } }),
        body: columns,
        file,
        fileName: file.name,
      }),
    onSuccess: (reply) => {
      setResult(reply)
      if (!reply.dryRun) void queryClient.invalidateQueries({ queryKey: ['orders', 'seller'] })
    },
  })
  const send = (next: Sent) => {
    setSent(next)
    sending.mutate(next)
  }
  return {
    file: sent?.file,
    busy: sending.isPending,
    result,
    problem: sending.error ? problemOf(sending.error, sent?.dryRun === false) : undefined,
    choose: (file: File) => {
      setResult(undefined)
      send({ file, columns: {}, dryRun: true })
    },
    nameColumn: (field: ShippingField, name: string) =>
      sent && send({ ...sent, columns: { ...sent.columns, [field]: name }, dryRun: true }),
    ship: () => sent && send({ ...sent, dryRun: false }),
    startOver: () => {
      setSent(undefined)
      setResult(undefined)
      sending.reset()
    },
  }
}

function problemOf(error: Error, wasShipping: boolean): string {
  if (!wasShipping) return errorSentence(error, 'This file could not be read. Please try again.')
  const sentence = errorSentence(error, 'The connection was lost.')
  return `${sentence} Try again: orders that were already marked as shipped stay as they are.`
}

function ListCard() {
  return (
    <SectionCard
      title="Your list"
      lead="Download what you have to ship, and fill in carrier and tracking number. A file from your shipping program works, too."
    >
      <div>
        <FileButton read={() => call(shippingEndpoints.readShippingList)} name="to-ship.csv">
          Orders to ship, CSV
        </FileButton>
      </div>
    </SectionCard>
  )
}

// The file's kind is checked after choosing.
const accepted = '.csv,.tsv,.txt,.xlsx,.xls,.zip,.gz,text/csv,text/tab-separated-values'

function FileCard({ shipping: { file, busy, choose, result } }: { shipping: Shipping }) {
  // Otherwise choosing the same file again, once it is corrected, would do nothing.
  const reset = useRef<() => void>(null)
  const take = (chosen: File | null) => {
    if (chosen) choose(chosen)
    reset.current?.()
  }
  return (
    <SectionCard
      title={file ? file.name : 'Your file'}
      lead="CSV, TSV, or an Excel workbook (.xlsx) with up to 500 orders. Use any column names. Nothing changes before you confirm."
    >
      <div>
        <FilePicker onChange={take} resetRef={reset} accept={accepted} disabled={busy}>
          {({ onClick }) => (
            <Button onClick={onClick} loading={busy} variant={result ? 'default' : 'filled'}>
              {file ? 'Choose another file' : 'Choose file'}
            </Button>
          )}
        </FilePicker>
      </div>
    </SectionCard>
  )
}

function ResultCard({ shipping, result }: { shipping: Shipping; result: ShippingReply }) {
  const { busy, ship, startOver } = shipping
  const [toShip, shipped] = [countOf(result, 'ship'), countOf(result, 'shipped')]
  const title = result.dryRun
    ? 'What this file does'
    : `${shipped === 0 ? 'No' : shipped.toLocaleString('en-US')} ${shipped === 1 ? 'order' : 'orders'} marked as shipped`
  return (
    <SectionCard title={title} lead={<span role="status">{summaryOf(result)}</span>}>
      {result.notes.map((note) => (
        <Text key={note} size="sm" className="second">
          {note}
        </Text>
      ))}
      {result.dryRun && <Columns shipping={shipping} result={result} />}
      <ShippingRows rows={result.rows} />
      <Group gap="sm">
        {result.dryRun ? (
          <Button onClick={ship} disabled={toShip === 0} loading={busy}>
            {toShip === 0 ? 'Nothing to ship' : `Mark ${ordersInWords(toShip)} as shipped`}
          </Button>
        ) : (
          <>
            <ButtonLink to={paths.sellerOrders}>Go to orders</ButtonLink>
            <Button variant="default" onClick={startOver}>
              Upload another file
            </Button>
          </>
        )}
      </Group>
    </SectionCard>
  )
}

const labels: readonly [field: ShippingField, label: string][] = [
  ['number', 'Order number'],
  ['carrier', 'Carrier'],
  ['tracking', 'Tracking number'],
]

function Columns({ shipping: { busy, nameColumn }, result }: { shipping: Shipping; result: ShippingReply }) {
  const names = [...new Set(result.header)]
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      {labels.map(([field, label]) => (
        <NativeSelect
          key={field}
          label={`Column: ${label}`}
          disabled={busy}
          value={result.columns[field] ?? ''}
          onChange={(event) => nameColumn(field, event.currentTarget.value)}
          data={[{ value: '', label: 'None' }, ...names.map((name) => ({ value: name, label: name }))]}
          error={
            field === 'number' && result.columns.number === null && 'Choose the column with order numbers'
          }
        />
      ))}
    </SimpleGrid>
  )
}
