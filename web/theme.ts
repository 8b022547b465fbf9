import {
  Anchor,
  Badge,
  Button,
  Card,
  Checkbox,
  Combobox,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Input,
  type MantineColorsTuple,
  Modal,
  Pagination,
  Title,
  Tooltip,
} from '@mantine/core'

/**
 * Ink and paper, one rust accent, sea for information. In each palette, step 6 is the color on paper, step 4 the color on
 * ink, and step 1 the soft background on paper; text has a contrast of at least 4.5:1.
 */
const rust: MantineColorsTuple = [
  '#fdf4ef',
  '#fbe6da',
  '#f7cdb6',
  '#f5ac84',
  '#ff8a4c',
  '#e2571c',
  '#c2410c',
  '#a2350a',
  '#842c0c',
  '#5c2009',
]
const sea: MantineColorsTuple = [
  '#eef7f9',
  '#dcf0f4',
  '#b8e0e8',
  '#8bd0de',
  '#5cc3d8',
  '#2a93aa',
  '#0f6e84',
  '#0c5c6f',
  '#0b4b5a',
  '#08313c',
]
const good: MantineColorsTuple = [
  '#eef8f2',
  '#dcf2e5',
  '#b7e4ca',
  '#8bd9ad',
  '#5fcf97',
  '#2f9e66',
  '#1f7a4d',
  '#196640',
  '#145234',
  '#0c3321',
]
const warning: MantineColorsTuple = [
  '#fdf6e3',
  '#fbeccb',
  '#f5da97',
  '#efca6b',
  '#e9b949',
  '#c28a12',
  '#9a6700',
  '#825700',
  '#6b4800',
  '#3f2b00',
]
const bad: MantineColorsTuple = [
  '#fdf0ee',
  '#fbe0dc',
  '#f6c2bb',
  '#fba69d',
  '#ff8a80',
  '#de4b3f',
  '#b42318',
  '#961d14',
  '#7a1811',
  '#4a0f0a',
]
/** Paper to ink; step 3 is the hairline, 5 the lightest text. */
const gray: MantineColorsTuple = [
  '#f6f5f1',
  '#eceeee',
  '#e5e8ea',
  '#dfe3e6',
  '#c6cdd3',
  '#687787',
  '#5b6b7c',
  '#45586b',
  '#33475b',
  '#0d1b2a',
]
/** Text to ground of the dark scheme: 4 is the hairline, 6 the card, 7 the page. */
const dark: MantineColorsTuple = [
  '#e9eef3',
  '#b7c3cf',
  '#8fa0b1',
  '#8293a5',
  '#223243',
  '#1a2a3a',
  '#111f2d',
  '#0b1520',
  '#081019',
  '#050b12',
]

const headingFont = "'Archivo Variable', 'Archivo fallback', system-ui, sans-serif"

const onFilled = 'var(--on-filled)'

export const theme = createTheme({
  black: '#0d1b2a',
  white: '#ffffff',
  colors: { rust, sea, good, warning, bad, gray, dark },
  primaryColor: 'rust',
  primaryShade: { light: 6, dark: 4 },
  // Text on a filled background is white in the light scheme and ink in the dark one; Mantine's own contrast color only
  // considers the light scheme.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...colors, color: onFilled } : colors
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  fontWeights: { regular: '400', medium: '600', bold: '700' },
  headings: {
    fontFamily: headingFont,
    fontWeight: '750',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2' },
      h2: { fontSize: '1.375rem', lineHeight: '1.25' },
      h3: { fontSize: '1.125rem', lineHeight: '1.35' },
      h4: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  // Multiples of 4 px.
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.625rem', xl: '1rem' },
  components: {
    Anchor: Anchor.extend({ defaultProps: { underline: 'hover' } }),
    Badge: Badge.extend({
      defaultProps: { variant: 'light', color: 'sea', tt: 'none', fw: 600, size: 'lg' },
    }),
    Button: Button.extend({ defaultProps: { fw: 650 } }),
    Card: Card.extend({ defaultProps: { withBorder: true, radius: 'lg', padding: 'lg' } }),
    Checkbox: Checkbox.extend({ vars: () => ({ root: { '--checkbox-icon-color': onFilled } }) }),
    // A centered list is wider than its field for a moment. On a phone that widens the page, which moves the field, and
    // the list slides away from the finger.
    Combobox: Combobox.extend({ defaultProps: { position: 'bottom-start' } }),
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'description', 'input', 'error'] },
    }),
    Modal: Modal.extend({
      defaultProps: { centered: true, radius: 'lg', closeButtonProps: { 'aria-label': 'Close' } },
    }),
    Pagination: Pagination.extend({
      vars: () => ({
        root: {
          '--pagination-active-bg': 'var(--mantine-color-sea-filled)',
          '--pagination-active-color': onFilled,
        },
      }),
    }),
    Title: Title.extend({ defaultProps: { order: 2 } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } },
    }),
  },
})

/** Colors that depend on the scheme and are not a palette step. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => {
  const soft = (scheme: 'light' | 'dark') =>
    Object.fromEntries(
      ['rust', 'sea', 'good', 'warning', 'bad'].flatMap((name) =>
        scheme === 'light'
          ? [[`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-7)`]]
          : [
              [`--mantine-color-${name}-light`, `color-mix(in srgb, ${colors[name]?.[4]} 17%, ${dark[6]})`],
              [
                `--mantine-color-${name}-light-hover`,
                `color-mix(in srgb, ${colors[name]?.[4]} 25%, ${dark[6]})`,
              ],
              [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-4)`],
              [`--mantine-color-${name}-outline`, `var(--mantine-color-${name}-4)`],
            ],
      ),
    )
  return {
    variables: {},
    light: {
      ...soft('light'),
      '--mantine-color-gray-light-color': gray[8],
      '--mantine-color-body': gray[0],
      '--mantine-primary-color-contrast': onFilled,
      '--mantine-color-anchor': sea[6],
      '--mantine-color-error': bad[6],
      '--mantine-color-success': good[6],
      '--mantine-color-default-border': gray[4],
      '--card': '#ffffff',
      '--line': gray[3],
      '--second': gray[8],
      '--control-line': '#7c8a99',
      '--focus': sea[6],
      '--on-filled': '#ffffff',
      '--drawing-accent': rust[6],
      '--drawing': `linear-gradient(135deg, ${sea[1]}, ${gray[0]})`,
    },
    dark: {
      ...soft('dark'),
      '--mantine-color-gray-light': dark[5],
      '--mantine-color-gray-light-color': dark[1],
      '--mantine-primary-color-contrast': onFilled,
      '--mantine-color-anchor': sea[4],
      '--mantine-color-error': bad[4],
      '--mantine-color-success': good[4],
      '--mantine-color-disabled': dark[5],
      '--card': dark[6],
      '--line': dark[4],
      '--second': dark[1],
      '--control-line': '#5f7387',
      '--focus': sea[4],
      '--on-filled': '#0d1b2a',
      '--drawing-accent': rust[4],
      '--drawing': `linear-gradient(135deg, #12303d, ${dark[6]})`,
    },
  }
}
