import { currencies, type Currency } from './constants'

export type MoneyOptions = {
  /** Digits after the point: padded with zeros, cut and never rounded (spec section 5). */
  decimals?: number
  /** Where a minus stands: before the unit (`-$5.0`, the default) or after it (`$-5.0`). */
  sign?: 'before-unit' | 'after-unit'
}

/** Decimal text of a number without exponent, so that cutting works on digits and not on binary fractions. */
function digitsOf(amount: number): { whole: string; fraction: string } {
  const text = amount.toString()
  const plain = text.includes('e') ? amount.toFixed(20) : text
  const [whole = '0', fraction = ''] = plain.split('.')
  return { whole, fraction }
}

const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',')

/**
 * An amount with its unit by the rules of spec sections 5 and 9 and decisions 7: `format(1234.5, 'USD')` is `$1,234.5`,
 * `format(1250000, 'VND')` is `1,250K₫`. Throws a RangeError on amounts that are no finite number.
 */
export function format(
  amount: number,
  currency: Currency,
  { decimals = 1, sign = 'before-unit' }: MoneyOptions = {},
): string {
  if (!Number.isFinite(amount)) throw new RangeError(`not an amount of money: ${amount}`)
  const { symbol, side, abbreviate } = currencies[currency]
  const { whole, fraction } = digitsOf(Math.abs(amount))
  const abbreviated = abbreviate && whole.length > 3
  const number = abbreviate
    ? abbreviated
      ? `${grouped(whole.slice(0, -3))}K`
      : whole
    : grouped(whole) + (decimals > 0 ? `.${fraction.slice(0, decimals).padEnd(decimals, '0')}` : '')
  const minus = amount < 0 && /[1-9]/.test(number) ? '-' : ''
  if (side === 'suffix') return `${minus}${number}${symbol}`
  return sign === 'after-unit' ? `${symbol}${minus}${number}` : `${minus}${symbol}${number}`
}
