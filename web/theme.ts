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

/** The ten steps of a palette in web/site/tokens.css. */
function palette(name: string): MantineColorsTuple {
  return Array.from({ length: 10 }, (_, step) => `var(--${name}-${step})`) as unknown as MantineColorsTuple
}

const accents = ['rust', 'sea', 'good', 'warning', 'bad'] as const
const colors = Object.fromEntries([...accents, 'gray', 'dark'].map((name) => [name, palette(name)]))

const steps = (name: string, sizes: string[]) =>
  Object.fromEntries(sizes.map((size) => [size, `var(--${name}-${size})`]))

const onFilled = 'var(--on-filled)'

export const theme = createTheme({
  black: 'var(--ink)',
  white: 'var(--white)',
  colors,
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
  fontFamily: 'var(--text-font)',
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  fontWeights: { regular: '400', medium: '600', bold: '700' },
  headings: {
    fontFamily: 'var(--heading-font)',
    fontWeight: 'var(--heading-weight)',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2' },
      h2: { fontSize: '1.375rem', lineHeight: '1.25' },
      h3: { fontSize: '1.125rem', lineHeight: '1.35' },
      h4: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  spacing: steps('space', ['xs', 'sm', 'md', 'lg', 'xl']),
  radius: steps('radius', ['xs', 'sm', 'md', 'lg', 'xl']),
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

/** Mantine's names for colors that are not a palette step. */
export const cssVariables: CSSVariablesResolver = () => {
  const soft = (scheme: 'light' | 'dark') =>
    Object.fromEntries(
      accents.flatMap((name) =>
        scheme === 'light'
          ? [[`--mantine-color-${name}-light-color`, `var(--${name}-7)`]]
          : [
              [`--mantine-color-${name}-light`, softOnInk(name, 17)],
              [`--mantine-color-${name}-light-hover`, softOnInk(name, 25)],
              [`--mantine-color-${name}-light-color`, `var(--${name}-4)`],
              [`--mantine-color-${name}-outline`, `var(--${name}-4)`],
            ],
      ),
    )
  // Mantine sets these for each scheme; what is set for both would lose.
  const inBoth = {
    '--mantine-color-body': 'var(--paper)',
    '--mantine-primary-color-contrast': onFilled,
    '--mantine-color-anchor': 'var(--link)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-success': 'var(--good)',
  }
  return {
    variables: {},
    light: {
      ...inBoth,
      ...soft('light'),
      '--mantine-color-gray-light-color': 'var(--gray-8)',
      '--mantine-color-default-border': 'var(--gray-4)',
    },
    dark: {
      ...inBoth,
      ...soft('dark'),
      '--mantine-color-gray-light': 'var(--dark-5)',
      '--mantine-color-gray-light-color': 'var(--dark-1)',
      '--mantine-color-disabled': 'var(--dark-5)',
    },
  }
}

const softOnInk = (name: string, share: number): string =>
  `color-mix(in srgb, var(--${name}-4) ${share}%, var(--dark-6))`
