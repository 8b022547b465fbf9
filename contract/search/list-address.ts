/** The list parameters that affect which parts it shows, in the order of the normalized address. */
export const decidingParameters = [
  'q',
  'categoryId',
  'manuId',
  'modelId',
  'year',
  'side',
  'priceMin',
  'priceMax',
  'grade',
  'milesMax',
  'zip',
  'radius',
  'shipping',
  'hasPicture',
  'seller',
  'exact',
] as const
