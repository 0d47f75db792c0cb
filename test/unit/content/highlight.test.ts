import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { highlightLines } from '../../../server/content/compile/highlight'

describe('highlighted code', () => {
  // As in a process that has compiled some megabytes of expressions.
  beforeAll(() => setFlagsFromString('--no-regexp-optimization'))
  afterAll(() => setFlagsFromString('--regexp-optimization'))

  it('does not depend on whether V8 optimizes regular expressions', () => {
    expect(highlightLines('"$HOME"', 'powershell')).toContain(
      '<span class="tok-constant">$HOME</span>',
    )
  })
})
