import type { MarkdownIt } from 'markdown-it'
import { pictureSources, type Picture, type PictureUse } from '../../../shared/images'
import type { ReadPicture } from './pictures'

export type PictureProblem = {
  /** 1-based, in the text after the front matter. */ line: number
  reason: string
}
export type PictureEnvironment = { picture?: ReadPicture | undefined; problems: PictureProblem[] }

/** Widths of the text column: as wide as a telephone, and its measure on larger screens. */
export const proseUse: PictureUse = { widths: ['xs', 'mobile_s', 'mobile'] }
export const proseSizes = '(max-width: 767px) 92vw, 680px'

/** A photograph's noise hides what a lower quality loses; drawings and screens keep every pixel. */
const presetOf = (picture: Picture): PictureUse['preset'] =>
  /\.jpe?g$/i.test(picture.source) ? 'photo' : undefined

/** `Caption =640x360` as caption and size. */
function readTitle(title: string): { caption: string; size?: { width: number; height: number } } {
  const [, caption = '', width, height] = /^(.*?)\s*(?:=(\d{1,5})x(\d{1,5}))?$/.exec(title) ?? []
  return width && height
    ? { caption, size: { width: Number(width), height: Number(height) } }
    : { caption }
}

/**
 * `![what is seen](file.png "Caption")` as `<picture>` with its sizes, formats and place kept free; a paragraph that is
 * nothing but a picture with a caption becomes a figure. What cannot be shown leaves its description and is reported.
 */
export function pictures(md: MarkdownIt): void {
  md.core.ruler.push('pictures', (state) => {
    const environment = state.env as PictureEnvironment
    for (const [index, token] of state.tokens.entries()) {
      if (token.type !== 'inline') continue
      for (const child of token.children ?? []) {
        if (child.type !== 'image') continue
        const { caption, size } = readTitle(String(child.attrGet('title') ?? ''))
        const found = environment.picture?.(String(child.attrGet('src') ?? ''), size) ?? {
          reason: 'no pictures here',
        }
        if ('reason' in found)
          environment.problems.push({ line: (token.map?.[0] ?? 0) + 1, reason: found.reason })
        child.meta = { picture: 'reason' in found ? null : found, caption: '' }
        const [open, close] = [state.tokens[index - 1], state.tokens[index + 1]]
        if (
          caption === '' ||
          token.children?.length !== 1 ||
          open?.type !== 'paragraph_open' ||
          close?.type !== 'paragraph_close'
        )
          continue
        child.meta['caption'] = caption
        open.tag = 'figure'
        close.tag = 'figure'
        open.hidden = close.hidden = false
      }
    }
  })
  md.renderer.rules['image'] = (tokens, index, options, env, self) => {
    const token = tokens[index]
    if (!token) return ''
    const escape = md.utils.escapeHtml
    const alt = escape(self.renderInlineAsText(token.children ?? [], options, env))
    const { picture, caption } = token.meta as { picture: Picture | null; caption: string }
    if (!picture) return alt
    const { sources, src } = pictureSources(picture, { ...proseUse, preset: presetOf(picture) })
    const offers = sources
      .map(
        ({ type, srcSet }) =>
          `<source type="${type}" srcset="${escape(srcSet)}" sizes="${proseSizes}">`,
      )
      .join('')
    const image = `<picture class="picture">${offers}<img src="${escape(src)}" alt="${alt}" width="${picture.width}" height="${picture.height}" loading="lazy" decoding="async"></picture>`
    return caption ? `${image}<figcaption>${escape(caption)}</figcaption>` : image
  }
}
