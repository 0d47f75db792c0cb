import { browserStorage } from '../../platform/browser-storage'

/** Labels of tabs chosen lately ("macOS", "curl"), newest first: who reads for one system reads for it on every page. */
const key = 'tabs'
const most = 20

function chosen(): string[] {
  try {
    const stored: unknown = JSON.parse(browserStorage()?.getItem(key) ?? '[]')
    return Array.isArray(stored)
      ? stored.filter((label) => typeof label === 'string').slice(0, most)
      : []
  } catch {
    return []
  }
}

function remember(label: string): void {
  try {
    browserStorage()?.setItem(
      key,
      JSON.stringify([label, ...chosen().filter((other) => other !== label)].slice(0, most)),
    )
  } catch {
    // A full or forbidden storage: the choice holds for this page.
  }
}

type Choice = { input: HTMLInputElement; label: string }
const choicesOf = (tabs: Element): Choice[] =>
  Array.from(tabs.querySelectorAll<HTMLInputElement>(':scope > .tabs-input'), (input) => ({
    input,
    label: input.labels?.[0]?.textContent?.trim() ?? '',
  }))

/** Shows in every group of tabs the label that was chosen last, and keeps a choice made in one of them. Returns the end. */
export function rememberTabs(prose: HTMLElement): () => void {
  const groups = Array.from(prose.querySelectorAll('.tabs'), choicesOf)
  const follow = (labels: readonly string[], except?: HTMLInputElement): void => {
    for (const group of groups) {
      const wanted = labels
        .map((label) => group.find((choice) => choice.label === label))
        .find((choice) => choice !== undefined)
      if (wanted && !group.some(({ input }) => input === except)) wanted.input.checked = true
    }
  }
  follow(chosen())
  const onChange = (event: Event): void => {
    const input = event.target
    if (!(input instanceof HTMLInputElement)) return
    const label = groups.flat().find((choice) => choice.input === input)?.label
    if (!label) return
    remember(label)
    // What is chosen must not move away under the pointer: tabs above it would change their height.
    const top = input.closest('.tabs')?.getBoundingClientRect().top ?? 0
    follow([label], input)
    window.scrollBy({
      top: (input.closest('.tabs')?.getBoundingClientRect().top ?? 0) - top,
      behavior: 'instant',
    })
  }
  prose.addEventListener('change', onChange)
  return () => prose.removeEventListener('change', onChange)
}
