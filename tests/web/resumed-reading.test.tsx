import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import type { ChosenReading } from '#contract/yard-file/reading.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'
import { useImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-import-file.ts'

const fileOf = (name: string) =>
  new File(['Parts of today\nStock #,Part,Price\nK-1,Hood,$90\nK-2,Fender,$80\n'], name)

type Opened = ReturnType<typeof useImportFile>
function Holder({ onRender }: { onRender: (opened: Opened) => void }): null {
  onRender(useImportFile([]))
  return null
}

/** The hook's current result, in a component of its own. */
function openHook() {
  const rendered: Opened[] = []
  const root = createRoot(document.createElement('div'))
  root.render(createElement(Holder, { onRender: (opened: Opened) => void rendered.push(opened) }))
  return { current: () => rendered.at(-1) as Opened, close: () => root.unmount() }
}

test('a resumed run still sends the reading that a person chose, until another is chosen', async () => {
  const readAs: ChosenReading = {
    header: ['Parts of today', 'Column 2', 'Column 3'],
    reading: { headerRow: 2 },
  }
  const file = await readImportFile(fileOf('yard.csv'), { settings: readAs.reading })
  const { current, close } = openHook()
  await vi.waitFor(() => expect(current()).toBeDefined())
  current().adopt({ file, readAs })
  await vi.waitFor(() => expect(current().chosenReading).toEqual(readAs))

  await current().readAs({ headerRow: 3 })
  const changed = { ...readAs, reading: { headerRow: 3 } }
  await vi.waitFor(() => expect(current().chosenReading).toEqual(changed))

  current().adopt({ file, readAs: undefined })
  await vi.waitFor(() => expect(current().chosenReading).toBeUndefined())
  close()
})
