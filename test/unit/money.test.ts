import { describe, expect, it } from '@jest/globals'
import { formatMoney } from '../../shared/money'

describe('money', () => {
  it.each([
    [0, 'USD', {}, '$0.0'],
    [1234.56, 'USD', {}, '$1,234.5'],
    [1234.56, 'USD', { decimals: 2 }, '$1,234.56'],
    [9.99, 'USD', { decimals: 0 }, '$9'],
    [5, 'USD', { decimals: 2 }, '$5.00'],
    [-5, 'USD', {}, '-$5.0'],
    [-5, 'USD', { sign: 'after-unit' }, '$-5.0'],
    [-5, 'PLN', {}, '-5.0zł'],
    [1999.99, 'PLN', { decimals: 2 }, '1,999.99zł'],
    [49.9, 'BRL', { decimals: 2 }, 'R$49.90'],
    [1250000, 'VND', {}, '1,250K₫'],
    [999, 'VND', {}, '999₫'],
    [1000, 'VND', {}, '1K₫'],
    [1999, 'VND', { decimals: 2 }, '1K₫'],
    [-1250000, 'VND', {}, '-1,250K₫'],
    [0.29, 'USD', { decimals: 2 }, '$0.29'],
    [1.005, 'USD', { decimals: 2 }, '$1.00'],
    [-0.04, 'USD', {}, '$0.0'],
    [1234567.891, 'USD', { decimals: 2 }, '$1,234,567.89'],
    [1e-7, 'USD', { decimals: 2 }, '$0.00'],
  ] as const)('%d %s %j is %s', (amount, currency, options, expected) => {
    expect(formatMoney(amount, currency, options)).toBe(expected)
  })

  it('refuses values that are not finite numbers', () => {
    expect(() => formatMoney(Number.NaN, 'USD')).toThrow(RangeError)
    expect(() => formatMoney(Infinity, 'USD')).toThrow(RangeError)
  })
})
