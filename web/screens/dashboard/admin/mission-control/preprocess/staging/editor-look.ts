import { Decoration, EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view'

/* Colours are those of the page, so that they follow its scheme without a word from here. */

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
  // Instead of the editor's own colours, which know the light scheme only.
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
    const spoken = colon === undefined ? text : name
    const kind = quoted === undefined ? value : spoken
    if (kind) add(from, to - (colon?.length ?? 0), kind)
  },
})

/** Colours what is in sight. */
const words = ViewPlugin.define(
  (view) => ({
    decorations: tokens.createDeco(view),
    update(update) {
      this.decorations = tokens.updateDeco(update, this.decorations)
    },
  }),
  { decorations: ({ decorations }) => decorations },
)

export const editorLook = [frame, colors, words]
