import { allLocales } from '../../../shared/i18n/locales'
import { html, type Html } from '../../pages/render/html-template'
import { drawBar } from './draw-charts'
import type { Cell, Column, InsightTable } from './insight-table'
import { rateVital, type Rating } from './web-vitals'

/** Rows of a table on the page; the CSV file has all. */
const maxRowsOnPage = 12
/** Tables with long texts, which take the whole width. */
const wideTables: ReadonlySet<string> = new Set(['errors', 'vitals', 'campaigns', 'searches'])

export const countFormat = new Intl.NumberFormat('en')
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })
/** Name of a country code; `-` is an unknown country. */
export const countryName = (code: string): string =>
  code === '-' ? 'unknown' : (countryNames.of(code) ?? code)
export const languageName = (code: string): string =>
  allLocales.find((locale) => locale.code === code)?.name ?? 'unknown'

/** Ratings are shown by color and also by words and signs, for people who cannot see colors. */
export const ratingWords: Readonly<Record<Rating, string>> = {
  good: 'good',
  fair: 'could be better',
  poor: 'poor',
}
const ratingSigns: Readonly<Record<Rating, string>> = { good: '', fair: ' ▲', poor: ' ✕' }

export const formatNumber = (value: number, kind: Column['kind']): string =>
  kind === 'score' ? value.toFixed(3) : countFormat.format(Math.round(value))

function formatCell(cell: Cell, { name, kind }: Column): string {
  if (typeof cell === 'number') return formatNumber(cell, kind)
  if (!cell) return '–'
  return name === 'country' ? countryName(cell) : name === 'language' ? languageName(cell) : cell
}

function renderCell(cell: Cell, column: Column, bar: Html | null): Html {
  const text = formatCell(cell, column)
  if (column.vital && typeof cell === 'number') {
    const rating = rateVital(column.vital, cell)
    return html`<td class="number">
      <span class="${rating}" title="${ratingWords[rating]}">${text}${ratingSigns[rating]}</span>
    </td>`
  }
  return html`<td class="${column.kind === 'text' ? 'text' : 'number'}">${text}${bar}</td>`
}

/** A table with its heading and a link to its CSV file. Bars are drawn in the first column. */
export function tableCard(
  { id, title, description, columns, rows, barColumn }: InsightTable,
  query: string,
): Html {
  const counts = barColumn === undefined ? [] : rows.map((row) => Number(row[barColumn]))
  const max = Math.max(0, ...counts)
  const barOf = (row: readonly Cell[]): Html | null =>
    barColumn === undefined ? null : drawBar(Number(row[barColumn]), max)
  const headings = columns.map(
    ({ name, kind }) =>
      html`<th scope="col" ${kind === 'text' ? null : html` class="number"`}>${name}</th>`,
  )
  const lines = rows.slice(0, maxRowsOnPage).map(
    (row) =>
      html`<tr>
        ${columns.map((column, index) => renderCell(row[index] ?? null, column, index === 0 ? barOf(row) : null))}
      </tr>`,
  )
  return html`<section class="card${wideTables.has(id) ? ' wide' : ''}" aria-labelledby="${id}">
    <div class="head">
      <h2 id="${id}">${title}</h2>
      ${rows.length > 0 ? html`<a href="?${query}&format=csv&table=${id}" aria-label="${title} as CSV">CSV</a>` : null}
    </div>
    ${description ? html`<p class="about">${description}</p>` : null}
    ${
      rows.length === 0
        ? html`<p class="none">No data for these days.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  ${headings}
                </tr>
              </thead>
              <tbody>
                ${lines}
              </tbody>
            </table>
          </div>`
    }
    ${rows.length > maxRowsOnPage ? html`<p class="more">${countFormat.format(rows.length - maxRowsOnPage)} more in the CSV file.</p>` : null}
  </section> `
}
