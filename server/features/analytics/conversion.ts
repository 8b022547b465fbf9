export type Sums = { views: number; leads: number; conversionPercent: number | null }

/** Leads over views in whole percent; nothing where nothing was looked at. */
export function withConversion({ views, leads }: { views: number; leads: number }): Sums {
  return { views, leads, conversionPercent: views === 0 ? null : Math.round((100 * leads) / views) }
}
