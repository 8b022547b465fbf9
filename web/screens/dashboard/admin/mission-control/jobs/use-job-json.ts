import { useState } from 'react'
import { type JobJson, parseJobJson } from './job-json.ts'

/** Payload and options as texts that are edited; `read` gives the objects, or marks the field that is none. */
export function useJobJson(first: JobJson) {
  const [texts, setTexts] = useState(first)
  const [wrong, setWrong] = useState({ payload: false, options: false })
  return {
    texts,
    wrong,
    isChanged: texts.payload !== first.payload || texts.options !== first.options,
    write: (part: Partial<JobJson>) => {
      setTexts((before) => ({ ...before, ...part }))
      setWrong({ payload: false, options: false })
    },
    read: () => {
      const { payload, options } = parseJobJson(texts)
      if (payload && options) return { payload, options }
      setWrong({ payload: payload === undefined, options: options === undefined })
      return undefined
    },
  }
}
export type JobJsonControls = ReturnType<typeof useJobJson>
