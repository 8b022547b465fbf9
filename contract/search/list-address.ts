/** The parameters of the list's address that decide which parts it has, in the order of its normalized address. */
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
