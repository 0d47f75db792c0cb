import { allLocales } from '../../../shared/i18n/locales'
import { html, type Html } from '../../pages/render/html-template'
import { drawDayChart, shortDay, drawSparkline } from './draw-charts'
import { filterQuery } from './insights-filter'
import { insightsStyle } from './insights-style'
import type { Day, Insights } from './make-insights'
import { countryName, countFormat, formatNumber, tableCard, ratingWords } from './render-table'
import { rateVital, vitalNames, type VitalName } from './web-vitals'

const style: Html = { html: `<style>${insightsStyle}</style>` }
const units: Readonly<Record<VitalName, string>> = { lcp: 'ms', inp: 'ms', cls: '' }

const renderOption = (value: string, label: string, isSelected: boolean): Html =>
  html`<option value="${value}" ${isSelected ? html` selected` : null}>${label}</option>`

function renderFilterForm({ filter, countries }: Insights): Html {
  // A country that was chosen stays in the list, even without events in these days.
  const choices = new Set([...countries, ...(filter.country ? [filter.country] : [])])
  const sortedCountries = [...choices].sort((a, b) =>
    countryName(a).localeCompare(countryName(b), 'en'),
  )
  return html`<form method="get">
    <label>From <input type="date" name="from" value="${filter.from}" required /></label>
    <label>To <input type="date" name="to" value="${filter.to}" required /></label>
    <label
      >Language
      <select name="locale">
        ${renderOption('', 'all', !filter.locale)}${allLocales.map(({ code, name }) => renderOption(code, name, code === filter.locale))}
      </select></label
    >
    <label
      >Country
      <select name="country">
        ${renderOption('', 'all', !filter.country)}${sortedCountries.map((code) => renderOption(code, countryName(code), code === filter.country))}
      </select></label
    >
    <button>Show</button>
  </form>`
}

const renderTotal = (
  title: string,
  total: number,
  days: readonly Day[],
  field: Exclude<keyof Day, 'day'>,
): Html =>
  html`<div class="tile">
    <dt>${title}</dt>
    <dd class="sum">${countFormat.format(total)}</dd>
    <dd>${drawSparkline(days.map((day) => day[field]))}</dd>
  </div> `

function renderVital(name: VitalName, value: number | null): Html {
  if (value === null)
    return html`<div class="tile">
      <dt>${name.toUpperCase()} p75</dt>
      <dd class="sum">–</dd>
      <dd class="verdict">not measured</dd>
    </div> `
  const rating = rateVital(name, value)
  return html`<div class="tile">
    <dt>${name.toUpperCase()} p75</dt>
    <dd class="sum">
      ${formatNumber(value, name === 'cls' ? 'score' : 'ms')}${units[name] ? html` <span class="unit">${units[name]}</span>` : null}
    </dd>
    <dd class="verdict ${rating}">${ratingWords[rating]}</dd>
  </div> `
}

const renderSwatch = (kind: string): Html =>
  html`<svg viewBox="0 0 12 12" aria-hidden="true">
    <rect class="${kind}" width="12" height="12" rx="2" />
  </svg>`

/** The complete insights page, without scripts or other files. */
export function renderInsights(insights: Insights, brand: string): string {
  const { filter, days, totals, vitals, tables, countedFrom, countedAt } = insights
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
            ${renderFilterForm(insights)}
          </header>
          <main>
            ${countedFrom ? html`<p class="hint">There are too many events in these days: numbers of events begin on ${shortDay(countedFrom)}. Choose fewer days to see the earlier ones.</p>` : null}
            <dl class="tiles">
              ${renderTotal('Visitors', totals.visitors, days, 'visitors')}${renderTotal('Views', totals.views, days, 'views')}${renderTotal('Downloads', totals.downloads, days, 'downloads')}${renderTotal('New accounts', totals.accounts, days, 'accounts')}${renderTotal('Errors', totals.errors, days, 'errors')}${vitalNames.map((name) => renderVital(name, vitals[name]))}
            </dl>
            <section class="card" aria-labelledby="by-day">
              <div class="head">
                <h2 id="by-day">Views and visitors by day</h2>
                <ul class="legend">
                  <li>${renderSwatch('views')}views</li>
                  <li>${renderSwatch('visitors')}visitors</li>
                </ul>
              </div>
              <div class="scroll">${drawDayChart(days)}</div>
            </section>
            <div class="cards">${tables.map((table) => tableCard(table, query))}</div>
          </main>
          <footer>
            Counted ${new Date(countedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC. Days
            are the UTC days on which events arrived. Visitors who did not consent to analytics
            appear only in searches and accounts. With a language or country selected, sources and
            codes count visitors who sent an event from there.
          </footer>
        </div>
      </body>
    </html> `
  return page.html
}
