const format = new Intl.NumberFormat('en')

export const formatNumber = (value: number): string => format.format(value)

/** `1 row`, `1,200 rows`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`
