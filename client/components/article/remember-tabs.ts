import { localStorageOrNull } from '../../platform/browser-storage'

/**
 * Holds the labels of recently selected tabs ("macOS", "curl"), newest first: a visitor who reads
 * for one system reads for it on every page.
 */
const storageKey = 'tabs'
const maxLabels = 20

function rememberedLabels(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorageOrNull()?.getItem(storageKey) ?? '[]')
    return Array.isArray(stored)
      ? stored.filter((label) => typeof label === 'string').slice(0, maxLabels)
      : []
  } catch {
    return []
  }
}

function remember(label: string): void {
  try {
    localStorageOrNull()?.setItem(
      storageKey,
      JSON.stringify(
        [label, ...rememberedLabels().filter((other) => other !== label)].slice(0, maxLabels),
      ),
    )
  } catch {
    // Storage is full or blocked, so the selection applies to this page only.
  }
}

type Tab = { input: HTMLInputElement; label: string }
const tabsOf = (group: Element): Tab[] =>
  Array.from(group.querySelectorAll<HTMLInputElement>(':scope > .tabs-input'), (input) => ({
    input,
    label: input.labels?.[0]?.textContent.trim() ?? '',
  }))

/**
 * Selects the remembered tab in every group and remembers new selections. Returns a stop function.
 */
export function rememberTabs(prose: HTMLElement): () => void {
  const groups = Array.from(prose.querySelectorAll('.tabs'), tabsOf)
  const select = (labels: readonly string[], except?: HTMLInputElement): void => {
    for (const group of groups) {
      const tab = labels
        .map((label) => group.find((candidate) => candidate.label === label))
        .find((found) => found !== undefined)
      if (tab && !group.some(({ input }) => input === except)) tab.input.checked = true
    }
  }
  select(rememberedLabels())
  const onChange = (event: Event): void => {
    const input = event.target
    if (!(input instanceof HTMLInputElement)) return
    const label = groups.flat().find((tab) => tab.input === input)?.label
    if (!label) return
    remember(label)
    // Other groups above can change their height, so the page scrolls along: the selected tab must
    // stay under the pointer.
    const top = input.closest('.tabs')?.getBoundingClientRect().top ?? 0
    select([label], input)
    window.scrollBy({
      top: (input.closest('.tabs')?.getBoundingClientRect().top ?? 0) - top,
      behavior: 'instant',
    })
  }
  prose.addEventListener('change', onChange)
  return () => prose.removeEventListener('change', onChange)
}
