import { currencies, type Currency } from './constants'

type MoneyOptions = {
  /** Digits after the decimal point: padded with zeros, truncated, never rounded (spec 7.14). */
  decimals?: number
  /** Position of the minus sign: before the unit (`-$5.0`, the default) or after it (`$-5.0`). */
  sign?: 'before-unit' | 'after-unit'
}

/** Decimal digits without an exponent: truncating digits avoids errors of binary fractions. */
function digitsOf(amount: number): { whole: string; fraction: string } {
  const text = amount.toString()
  const plain = text.includes('e') ? amount.toFixed(20) : text
  const [whole = '0', fraction = ''] = plain.split('.')
  return { whole, fraction }
}

const grouped = (whole: string): string => whole.replace(/\B(?=(?:\d{3}){1,9}$)/g, ',')

/**
 * An amount with its unit (spec 7.14): `formatMoney(1234.5, 'USD')` is `$1,234.5`,
 * `formatMoney(1250000, 'VND')` is `1,250K₫`. Throws a RangeError when the amount is not finite.
 */
export function formatMoney(
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
