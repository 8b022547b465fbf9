import type { MantineColorsTuple } from '@mantine/core'

/**
 * Ink and paper, one rust accent, sea for information. In each palette step 6 is the colour on paper, step 4 the colour
 * on ink, step 1 the soft background on paper; texts reach 4.5 : 1 on their ground.
 */
export const rust: MantineColorsTuple = [
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
export const sea: MantineColorsTuple = [
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
export const good: MantineColorsTuple = [
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
export const warning: MantineColorsTuple = [
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
export const bad: MantineColorsTuple = [
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
export const gray: MantineColorsTuple = [
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
export const dark: MantineColorsTuple = [
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
