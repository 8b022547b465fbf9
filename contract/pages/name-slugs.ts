/*
 * Filters by name in the addresses of lists, `make=toyota&model=camry`. Has no schemas, which would load zod on public pages.
 */

/** The filters by name, each with the equivalent id parameter. */
export const namedParameters = { make: 'manuId', model: 'modelId', category: 'categoryId' } as const

/** "Mercedes-Benz" is "mercedes-benz", "A/C Compressor" is "a-c-compressor": as the server's own, for most names. */
export const nameSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/(?<=[a-z\d])['’](?=[ts](?:\s|$))/g, '')
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
