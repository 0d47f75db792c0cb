import { allLocales } from '../../../shared/i18n/locales'
import { html, type Html } from '../../pages/render/html-template'
import { dayChart, shortDay, sparkLine } from './draw-charts'
import { filterQuery } from './insights-filter'
import { insightsStyle } from './insights-style'
import type { Day, Insights } from './make-insights'
import { countryName, number, numberText, tableCard, verdictWords } from './render-table'
import { verdictOf, vitalNames, type VitalName } from './web-vitals'

const style: Html = { html: `<style>${insightsStyle}</style>` }
const units: Readonly<Record<VitalName, string>> = { lcp: 'ms', inp: 'ms', cls: '' }

const option = (value: string, text: string, chosen: boolean): Html =>
  html`<option value="${value}" ${chosen ? html` selected` : null}>${text}</option>`

function filterForm({ filter, countries }: Insights): Html {
  const offered = [...new Set([...countries, ...(filter.country ? [filter.country] : [])])].sort(
    (a, b) => countryName(a).localeCompare(countryName(b), 'en'),
  )
  return html`<form method="get">
    <label>From <input type="date" name="from" value="${filter.from}" required /></label>
    <label>To <input type="date" name="to" value="${filter.to}" required /></label>
    <label
      >Language
      <select name="locale">
        ${option('', 'all', !filter.locale)}${allLocales.map(({ code, name }) => option(code, name, code === filter.locale))}
      </select></label
    >
    <label
      >Country
      <select name="country">
        ${option('', 'all', !filter.country)}${offered.map((code) => option(code, countryName(code), code === filter.country))}
      </select></label
    >
    <button>Show</button>
  </form>`
}

const sumTile = (
  name: string,
  sum: number,
  days: readonly Day[],
  of: Exclude<keyof Day, 'day'>,
): Html =>
  html`<div class="tile">
    <dt>${name}</dt>
    <dd class="sum">${number.format(sum)}</dd>
    <dd>${sparkLine(days.map((day) => day[of]))}</dd>
  </div> `

function vitalTile(name: VitalName, value: number | null): Html {
  if (value === null)
    return html`<div class="tile">
      <dt>${name.toUpperCase()} p75</dt>
      <dd class="sum">–</dd>
      <dd class="verdict">not measured</dd>
    </div> `
  const verdict = verdictOf(name, value)
  return html`<div class="tile">
    <dt>${name.toUpperCase()} p75</dt>
    <dd class="sum">
      ${numberText(value, name === 'cls' ? 'score' : 'ms')}${units[name] ? html` <span class="unit">${units[name]}</span>` : null}
    </dd>
    <dd class="verdict ${verdict}">${verdictWords[verdict]}</dd>
  </div> `
}

const swatch = (kind: string): Html =>
  html`<svg viewBox="0 0 12 12" aria-hidden="true">
    <rect class="${kind}" width="12" height="12" rx="2" />
  </svg>`

/** The owner's page, complete: no script, no file besides. `brand` is the site's. */
export function renderInsights(insights: Insights, brand: string): string {
  const { filter, days, totals, vitals, tables, countedFrom, at } = insights
  const query = filterQuery(filter)
  const title = `Insights, ${shortDay(filter.from)} to ${shortDay(filter.to)}`
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} | ${brand}</title>
        ${style}
      </head>
      <body>
        <div class="page">
          <header>
            <div>
              <p class="brand">${brand}</p>
              <h1>Insights</h1>
            </div>
            ${filterForm(insights)}
          </header>
          <main>
            ${countedFrom ? html`<p class="hint">There were more events than are counted at once: numbers of events begin on ${shortDay(countedFrom)}. Choose fewer days to see the others.</p>` : null}
            <dl class="tiles">
              ${sumTile('Visitors', totals.visitors, days, 'visitors')}${sumTile('Views', totals.views, days, 'views')}${sumTile('Downloads', totals.downloads, days, 'downloads')}${sumTile('New accounts', totals.accounts, days, 'accounts')}${sumTile('Errors', totals.errors, days, 'errors')}${vitalNames.map((name) => vitalTile(name, vitals[name]))}
            </dl>
            <section class="card" aria-labelledby="by-day">
              <div class="head">
                <h2 id="by-day">Views and visitors by day</h2>
                <ul class="legend">
                  <li>${swatch('views')}views</li>
                  <li>${swatch('visitors')}visitors</li>
                </ul>
              </div>
              <div class="scroll">${dayChart(days)}</div>
            </section>
            <div class="cards">${tables.map((table) => tableCard(table, query))}</div>
          </main>
          <footer>
            Counted ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC, by days of UTC
            on which events arrived. Visitors who refused to be measured, or have not been asked
            yet, are in no number but searches and accounts. Under a language or country, sources
            and codes count visitors who sent an event from there.
          </footer>
        </div>
      </body>
    </html> `
  return page.html
}
