import { afterEach, expect, it, jest } from '@jest/globals'
import type { Fonts } from '../../../server/images/social/fonts'

afterEach(() => {
  jest.dontMock('../../../server/images/social/fonts')
  jest.resetModules()
})

it('a picture is drawn after the fonts of an earlier one could not be loaded', async () => {
  const fonts: Fonts = { shape: () => Promise.resolve({ svg: '', width: 10 }) }
  const loadFonts = jest
    .fn(() => Promise.resolve(fonts))
    .mockRejectedValueOnce(new Error('EMFILE: too many open files'))
  jest.doMock('../../../server/images/social/fonts', () => ({ loadFonts }))
  const { drawPicture } = await import('../../../server/images/social/draw-picture')
  const text = { brand: 'Brand', host: 'example.org', title: 'A title', language: 'en-US' }
  await expect(drawPicture(text)).rejects.toThrow('too many open files')
  for (let count = 0; count < 2; count += 1)
    expect((await drawPicture(text)).subarray(1, 4).toString()).toBe('PNG')
  expect(loadFonts).toHaveBeenCalledTimes(2)
})
