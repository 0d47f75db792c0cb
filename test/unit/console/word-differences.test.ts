/** Differences between two English texts, in the console's translations (spec 8.12). */
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { wordDifferences, type TextPart } from '../../../client/console/word-differences'

/** Changed parts in brackets. */
const marked = (parts: readonly TextPart[]): string =>
  parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')
const show = (before: string, after: string): string[] => {
  const differences = wordDifferences(before, after)
  return [marked(differences.before), marked(differences.after)]
}

describe('differences between texts', () => {
  it.each([
    ['the same', 'the same', 'the same', 'the same'],
    ['one word', 'two words', '[one word]', '[two words]'],
    [
      'Open the profile now.',
      'Open this profile now.',
      'Open [the] profile now.',
      'Open [this] profile now.',
    ],
    ['a new plan', 'a plan', 'a [new ]plan', 'a plan'],
    ['', 'added', '', '[added]'],
    ['removed', '', '[removed]', ''],
    ['up to 5 users', 'up to 10 users', 'up to [5] users', 'up to [10] users'],
    ['See {{brand}}.', 'See {{product}}.', 'See {{[brand]}}.', 'See {{[product]}}.'],
    [
      'First line.\n\nSecond line.\n',
      'First line.\n\nA new line.\n\nSecond line.\n',
      'First line.\n\nSecond line.\n',
      'First line.\n\n[A new line.\n\n]Second line.\n',
    ],
  ])('marks what differs between %j and %j', (before, after, expectedBefore, expectedAfter) => {
    expect(show(before, after)).toEqual([expectedBefore, expectedAfter])
  })

  it('keeps every text, and what is not marked is the same in both', () => {
    const text = fc
      .array(fc.constantFrom('one', 'two', 'three', ' ', '\n', '.', '{{x}}', 'ไทย', '😀'), {
        maxLength: 40,
      })
      .map((words) => words.join(''))
    const join = (parts: readonly TextPart[]): string => parts.map((part) => part.text).join('')
    const same = (parts: readonly TextPart[]): string =>
      join(parts.filter(({ isChanged }) => !isChanged))
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), fc.oneof(text, fc.string()), (before, after) => {
        const differences = wordDifferences(before, after)
        expect(join(differences.before)).toBe(before)
        expect(join(differences.after)).toBe(after)
        expect(same(differences.before)).toBe(same(differences.after))
      }),
      { numRuns: 500 },
    )
  })

  it('marks two long texts without a common line completely', () => {
    const text = (word: string): string => Array.from({ length: 3000 }, () => word).join(' ')
    expect(show(text('one'), text('two')).map((one) => one.slice(0, 4))).toEqual(['[one', '[two'])
  })
})
