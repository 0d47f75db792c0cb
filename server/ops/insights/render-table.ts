import { allLocales } from '../../../shared/i18n/locales'
import { html, type Html } from '../../pages/render/html-template'
import { barOf } from './draw-charts'
import type { Cell, Column, InsightTable } from './insight-table'
import { verdictOf, type Verdict } from './web-vitals'

/** Rows on the page; the export has all. */
const shownRows = 12
/** Tables whose texts need the whole width. */
const wide: ReadonlySet<string> = new Set(['errors', 'vitals', 'campaigns', 'searches'])

export const number = new Intl.NumberFormat('en')
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })
/** Names of codes; `-` stands for what is not known. */
export const countryName = (code: string): string =>
  code === '-' ? 'not known' : (countryNames.of(code) ?? code)
export const languageName = (code: string): string =>
  allLocales.find((locale) => locale.code === code)?.name ?? 'not known'

/** A verdict is said in words and by a sign, not by colour alone. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  good: 'good',
  fair: 'could be better',
  poor: 'poor',
}
const signs: Readonly<Record<Verdict, string>> = { good: '', fair: ' ▲', poor: ' ✕' }

export const numberText = (value: number, kind: Column['kind']): string =>
  kind === 'score' ? value.toFixed(3) : number.format(Math.round(value))

function textOf(cell: Cell, { name, kind }: Column): string {
  if (typeof cell === 'number') return numberText(cell, kind)
  if (!cell) return '–'
  return name === 'country' ? countryName(cell) : name === 'language' ? languageName(cell) : cell
}

function cellOf(cell: Cell, column: Column, bar: Html | null): Html {
  const text = textOf(cell, column)
  if (column.vital && typeof cell === 'number') {
    const verdict = verdictOf(column.vital, cell)
    return html`<td class="number">
      <span class="${verdict}" title="${verdictWords[verdict]}">${text}${signs[verdict]}</span>
    </td>`
  }
  return html`<td class="${column.kind === 'text' ? 'text' : 'number'}">${text}${bar}</td>`
}

/** A table with its heading and its export. Bars stand below the words that they belong to. */
export function tableCard(
  { id, title, about, columns, rows, bar }: InsightTable,
  query: string,
): Html {
  const most = bar === undefined ? 0 : Math.max(0, ...rows.map((row) => Number(row[bar])))
  const first = (row: readonly Cell[]): Html | null =>
    bar === undefined ? null : barOf(Number(row[bar]), most)
  const names = columns.map(
    ({ name, kind }) =>
      html`<th scope="col" ${kind === 'text' ? null : html` class="number"`}>${name}</th>`,
  )
  const lines = rows.slice(0, shownRows).map(
    (row) =>
      html`<tr>
        ${columns.map((column, index) => cellOf(row[index] ?? null, column, index === 0 ? first(row) : null))}
      </tr>`,
  )
  return html`<section class="card${wide.has(id) ? ' wide' : ''}" aria-labelledby="${id}">
    <div class="head">
      <h2 id="${id}">${title}</h2>
      ${rows.length > 0 ? html`<a href="?${query}&format=csv&table=${id}" aria-label="${title} as CSV">CSV</a>` : null}
    </div>
    ${about ? html`<p class="about">${about}</p>` : null}
    ${
      rows.length === 0
        ? html`<p class="none">Nothing in these days.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  ${names}
                </tr>
              </thead>
              <tbody>
                ${lines}
              </tbody>
            </table>
          </div>`
    }
    ${rows.length > shownRows ? html`<p class="more">${number.format(rows.length - shownRows)} more in the CSV file.</p>` : null}
  </section> `
}
