import type { MarkdownIt } from 'markdown-it'
import { pictureSources, type Picture, type PictureUse } from '../../../shared/images'
import type { ReadPicture } from './read-picture'

/** `line` is 1-based, in the text after the front matter. */
export type PictureProblem = { line: number; reason: string }
export type PictureEnvironment = {
  readPicture?: ReadPicture | undefined
  problems: PictureProblem[]
}
/** What the rule for pictures leaves for the renderer. */
type ImageMeta = { picture: Picture | null; caption: string }

/** Widths of the text column: full width on phones, its fixed maximum on larger screens. */
const proseUse: PictureUse = { widths: ['xs', 'mobile_s', 'mobile'] }
const proseSizes = '(max-width: 767px) 92vw, 680px'

/** Photos hide the loss of a lower quality; drawings and screenshots do not. */
const presetOf = (picture: Picture): PictureUse['preset'] =>
  /\.jpe?g$/i.test(picture.source) ? 'photo' : undefined

/** `Caption =640x360` as caption and size. */
function parseTitle(title: string): { caption: string; size?: { width: number; height: number } } {
  const size = /=(\d{1,5})x(\d{1,5})$/.exec(title)
  const caption = title.slice(0, size?.index).trimEnd()
  return size ? { caption, size: { width: Number(size[1]), height: Number(size[2]) } } : { caption }
}

/**
 * `![alternative text](file.png "Caption")` becomes a `<picture>` with its dimensions and formats,
 * so that the page does not move when it loads. A paragraph that consists of a picture with a
 * caption becomes a figure. A picture that cannot be shown leaves its alternative text and is
 * reported.
 */
export function pictures(md: MarkdownIt): void {
  resolvePictures(md)
  md.renderer.rules['image'] = (tokens, index, options, env, self) => {
    const token = tokens[index]
    if (!token) return ''
    const escape = md.utils.escapeHtml
    const alt = escape(self.renderInlineAsText(token.children ?? [], options, env))
    // The cast: `resolvePictures` has set the untyped field.
    const { picture, caption } = token.meta as ImageMeta
    if (!picture) return alt
    const { sources, src } = pictureSources(picture, { ...proseUse, preset: presetOf(picture) })
    const sourceTags = sources
      .map(
        ({ type, srcSet }) =>
          `<source type="${type}" srcset="${escape(srcSet)}" sizes="${proseSizes}">`,
      )
      .join('')
    const image = `<picture class="picture">${sourceTags}<img src="${escape(src)}" alt="${alt}" width="${picture.width}" height="${picture.height}" loading="lazy" decoding="async"></picture>`
    return caption ? `${image}<figcaption>${escape(caption)}</figcaption>` : image
  }
}

function resolvePictures(md: MarkdownIt): void {
  md.core.ruler.push('pictures', (state) => {
    // The cast: `createMarkdown` passes its environment, which is untyped here.
    const { readPicture, problems } = state.env as PictureEnvironment
    for (const [index, token] of state.tokens.entries()) {
      if (token.type !== 'inline') continue
      for (const child of token.children ?? []) {
        if (child.type !== 'image') continue
        const { caption, size } = parseTitle(String(child.attrGet('title') ?? ''))
        const found = readPicture?.(String(child.attrGet('src') ?? ''), size) ?? {
          reason: 'no pictures here',
        }
        if ('reason' in found)
          problems.push({ line: (token.map?.[0] ?? 0) + 1, reason: found.reason })
        const [open, close] = [state.tokens[index - 1], state.tokens[index + 1]]
        const isFigure =
          caption !== '' &&
          token.children?.length === 1 &&
          open?.type === 'paragraph_open' &&
          close?.type === 'paragraph_close'
        child.meta = {
          picture: 'reason' in found ? null : found,
          caption: isFigure ? caption : '',
        } satisfies ImageMeta
        if (!isFigure) continue
        open.tag = close.tag = 'figure'
        open.hidden = close.hidden = false
      }
    }
  })
}
