import { json } from '@codemirror/lang-json'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { Text } from '@mantine/core'
import { basicSetup } from 'codemirror'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { editorLook } from './editor-look.ts'
import { type JsonProblem, jsonProblem } from './json-problem.ts'
import type { JsonText } from './staged-file.ts'

type JsonEditorProps = {
  text: JsonText
  onEdit: () => void
  onSave: () => void
}

/** The rows as JSON, in an editor that names what is wrong by its line. Tab leaves it, as it does every field. */
export function JsonEditor({ text, onEdit, onSave }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<JsonProblem>()
  const edited = useEffectEvent(onEdit)
  const save = useEffectEvent(() => {
    onSave()
    return true
  })
  useEffect(() => {
    if (!place.current) return
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text.read(),
        extensions: [
          keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => save() }]),
          basicSetup,
          json(),
          lintGutter(),
          linter((view) => problemsOf(view, setProblem), { delay: LINT_MS }),
          editorLook,
          EditorView.contentAttributes.of({ 'aria-label': 'Staged file as JSON', tabindex: '0' }),
          EditorView.updateListener.of(({ docChanged }) => docChanged && edited()),
        ],
      }),
    })
    text.read = () => view.state.doc.toString()
    return () => {
      const last = view.state.doc.toString()
      text.read = () => last
      view.destroy()
    }
  }, [text])
  return (
    <>
      <div ref={place} />
      <Text role="status" size="sm" c="var(--mantine-color-error)" mih="1.5rem" mt={4}>
        {problem?.sentence}
      </Text>
    </>
  )
}

/** After the last key: reading eight megabytes takes a moment. */
const LINT_MS = 400

function problemsOf({ state }: EditorView, tell: (problem: JsonProblem | undefined) => void): Diagnostic[] {
  const problem = jsonProblem(state.doc.toString())
  tell(problem)
  if (!problem) return []
  const line = state.doc.line(Math.min(problem.line, state.doc.lines))
  const from = Math.min(line.from + problem.column - 1, line.to)
  return [{ from, to: line.to, severity: 'error', message: problem.sentence }]
}
