import { json } from '@codemirror/lang-json'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { Decoration, EditorView, keymap, MatchDecorator, ViewPlugin } from '@codemirror/view'
import { Text } from '@mantine/core'
import { basicSetup } from 'codemirror'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { findJsonError } from '#contract/text/json-error.ts'
import type { JsonText } from './staged-file.ts'

type JsonEditorProps = {
  text: JsonText
  onEdit: () => void
  onSave: () => void
}

/** The rows as JSON, with syntax errors by line. Tab leaves the editor like any field. */
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

/** After the last key press: parsing 8 MB takes a moment. */
const LINT_MS = 400

function problemsOf(
  { state }: EditorView,
  onProblem: (problem: JsonProblem | undefined) => void,
): Diagnostic[] {
  const problem = jsonProblem(state.doc.toString())
  onProblem(problem)
  if (!problem) return []
  const line = state.doc.line(Math.min(problem.line, state.doc.lines))
  const from = Math.min(line.from + problem.column - 1, line.to)
  return [{ from, to: line.to, severity: 'error', message: problem.sentence }]
}

type JsonProblem = { line: number; column: number; sentence: string }

/** The first syntax error, or undefined for valid JSON. */
function jsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    const error = findJsonError(text)
    if (!error) return { line: 1, column: 1, sentence: 'The text is not valid JSON.' }
    const { line, column, expected } = error
    return { line, column, sentence: `Line ${line}, column ${column}: ${expected} expected.` }
  }
}

/* The page's own CSS variables, so that the editor follows the color scheme. */

const frame = EditorView.theme({
  '&': {
    height: 'clamp(22rem, calc(100dvh - 14rem), 46rem)',
    border: '1px solid var(--control-line)',
    borderRadius: 'var(--mantine-radius-lg)',
    backgroundColor: 'var(--card)',
    color: 'var(--mantine-color-text)',
    fontSize: '0.8125rem',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '3px solid var(--focus)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--second)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--focus) 7%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--focus) 14%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 28%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--focus) 18%, transparent)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 24%, transparent)',
  },
  '.cm-searchMatch': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-warning-filled) 35%, transparent)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--line)',
    color: 'var(--second)',
  },
  '.cm-panels, .cm-tooltip': {
    backgroundColor: 'var(--card)',
    color: 'var(--mantine-color-text)',
    borderColor: 'var(--line)',
  },
  '.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-textfield': {
    backgroundColor: 'var(--card)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--control-line)',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--control-line)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--mantine-color-error)' },
})

const colors = EditorView.theme({
  // CodeMirror's own colors only suit the light scheme.
  '.cm-line span': { color: 'inherit' },
  '.cm-line .json-name': { color: 'var(--mantine-color-anchor)' },
  '.cm-line .json-text': { color: 'var(--mantine-color-success)' },
  '.cm-line .json-value': { color: 'var(--mantine-color-rust-light-color)' },
})

const [name, text, value] = ['json-name', 'json-text', 'json-value'].map((kind) =>
  Decoration.mark({ class: kind }),
)

const tokens = new MatchDecorator({
  regexp: /("(?:[^"\\]|\\.)*")(\s*:)?|-?\b\d[\d.eE+-]*\b|\b(?:true|false|null)\b/g,
  decorate: (add, from, to, [, quoted, colon]) => {
    const stringKind = colon === undefined ? text : name
    const kind = quoted === undefined ? value : stringKind
    if (kind) add(from, to - (colon?.length ?? 0), kind)
  },
})

/** Colors the visible tokens. */
const tokenColors = ViewPlugin.define(
  (view) => ({
    decorations: tokens.createDeco(view),
    update(update) {
      this.decorations = tokens.updateDeco(update, this.decorations)
    },
  }),
  { decorations: ({ decorations }) => decorations },
)

const editorLook = [frame, colors, tokenColors]
