import { expect, it } from '@jest/globals'
import { currentTheme, watchTheme } from '../../../client/shell/theme'

it('a choice made in another tab and a change of the system apply until the watching stops', () => {
  const window = new EventTarget()
  const system = new EventTarget()
  const root = { dataset: {} } as HTMLElement
  const themes: string[] = []
  // Fakes of the members that are used.
  const sources = { window: window as Window, system: system as MediaQueryList, root }
  const stop = watchTheme(sources, () => themes.push(currentTheme(root, true)))
  const store = (key: string, newValue: string | null) =>
    window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
  const changeAll = (): void => {
    system.dispatchEvent(new Event('change'))
    store('theme', 'light')
    store('theme', 'purple')
    store('other', 'dark')
    store('theme', null)
  }
  changeAll()
  expect(themes).toEqual(['dark', 'light'])
  stop()
  changeAll()
  expect(themes).toEqual(['dark', 'light'])
})
