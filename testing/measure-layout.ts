import type { Page } from '@playwright/test'

/** What does not fit on a page at its present width. */
type LayoutFaults = {
  overflow: number
  clipped: string[]
  /** Headings whose last line holds only a short word. */
  orphans: string[]
  /** Labels of the header's menu that are broken into two lines. */
  broken: string[]
}

/** A last line below this share of the longest line looks like a leftover. */
const minLastLine = 0.1

/** Measures a page in the browser; needs no script of the page. */
export const measureLayout = (page: Page): Promise<LayoutFaults> =>
  page.evaluate((minShare) => {
    const textOf = (element: Element): string => (element.textContent ?? '').trim().slice(0, 80)
    const isVisible = (element: Element): boolean => element.checkVisibility()
    const linesOf = (element: Element): DOMRect[] => {
      const range = document.createRange()
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const rects: DOMRect[] = []
      while (texts.nextNode()) {
        // Texts for screen readers only are a pixel wide.
        if (texts.currentNode.parentElement?.closest('.sr-only')) continue
        range.selectNodeContents(texts.currentNode)
        rects.push(...range.getClientRects())
      }
      const lines: DOMRect[] = []
      for (const { left, right, top, bottom } of rects) {
        const line = lines.find((known) => top < known.bottom - 4 && bottom > known.top + 4)
        if (!line) lines.push(new DOMRect(left, top, right - left, bottom - top))
        else {
          const start = Math.min(line.left, left)
          line.width = Math.max(line.right, right) - start
          line.x = start
        }
      }
      return lines
    }
    const isScrolled = (element: Element): boolean => {
      for (let parent = element.parentElement; parent; parent = parent.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(parent).overflowX)) return true
      return false
    }
    const buttons = [
      ...document.querySelectorAll('button, summary, [role="tab"], label, a[class*="utton"]'),
    ].filter(isVisible)
    const clipped = buttons.filter((button) => {
      const { left, right, width } = button.getBoundingClientRect()
      if (width < 2 || isScrolled(button)) return false
      const isCut =
        getComputedStyle(button).overflowX !== 'visible' &&
        button.scrollWidth > button.clientWidth + 1
      const lines = linesOf(button).filter((line) => line.width > 1)
      const isWider = lines.some((line) => line.right > right + 1 || line.left < left - 1)
      return isCut || isWider || right > innerWidth + 1 || left < -1
    })
    const orphans = [...document.querySelectorAll('h1, h2, h3')]
      .filter(isVisible)
      .filter((heading) => {
        const lines = linesOf(heading).filter((line) => line.width > 1)
        const widest = Math.max(...lines.map((line) => line.width))
        return lines.length > 1 && (lines.at(-1)?.width ?? widest) < widest * minShare
      })
    const labels = [...document.querySelectorAll('header nav summary, header nav > ul > li > a')]
    return {
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      clipped: clipped.map(textOf),
      orphans: orphans.map(textOf),
      broken: labels.filter((label) => isVisible(label) && linesOf(label).length > 1).map(textOf),
    }
  }, minLastLine)
