import { createHash } from 'node:crypto'

/** Inline styles of the insights page; the policy below allows them by their hash. */
export const insightsStyle = `
:root{color-scheme:light dark;--paper:#f5f7fb;--card:#fff;--ink:#0b1220;--muted:#465166;--line:#dbe1ec;--strong:#7f8ba3;--blue:#2450e6;--fill:#2f5bff;--soft:#b9caff;--wash:#eaf0ff;--good:#17663a;--fair:#8a4b00;--poor:#b42318}
@media (prefers-color-scheme:dark){:root{--paper:#0b1220;--card:#131c2e;--ink:#eef2fa;--muted:#aab5c9;--line:#2a3650;--strong:#6d7b96;--blue:#9db4ff;--fill:#6f8fff;--soft:#33477f;--wash:#1a2540;--good:#7fd6a2;--fair:#ffc27a;--poor:#ff9d94}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
.page{max-width:1240px;margin:0 auto;padding:24px clamp(16px,3vw,32px) 64px}
header{display:flex;flex-wrap:wrap;gap:16px 32px;align-items:end;justify-content:space-between;margin-bottom:20px}
h1{margin:0;font-size:26px;line-height:1.2}
.brand{margin:0 0 2px;color:var(--muted);font-weight:600}
h2{margin:0;font-size:17px;line-height:1.3}
form{display:flex;flex-wrap:wrap;gap:10px;align-items:end}
label{display:grid;gap:4px;color:var(--muted);font-size:13px}
input,select,button{min-height:40px;padding:6px 10px;border:1px solid var(--strong);border-radius:8px;background:var(--card);color:var(--ink);font:inherit}
button{padding-inline:18px;border-color:transparent;background:var(--blue);color:var(--paper);font-weight:600;cursor:pointer}
a{color:var(--blue)}
:focus-visible{outline:2px solid var(--blue);outline-offset:2px}
.hint{margin:0 0 16px;padding:10px 14px;border:1px solid var(--line);border-inline-start:3px solid var(--fair);border-radius:8px;background:var(--card)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(max(150px,21%),1fr));gap:12px;margin:0 0 16px;padding:0}
.tile,.card{border:1px solid var(--line);border-radius:12px;background:var(--card)}
.tile{padding:14px 16px}
.tile dt{color:var(--muted)}
.tile dd{margin:0}.tile .sum{font-size:26px;font-weight:650;line-height:1.25}
.tile .unit{font-size:15px;font-weight:400;color:var(--muted)}
.spark{display:block;width:100%;height:28px;margin-top:8px}
.spark polyline{fill:none;stroke:var(--fill);stroke-width:2;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.spark polygon{fill:var(--wash)}
.tile .verdict{margin-top:8px;font-size:13px;font-weight:600}
.good{color:var(--good)}.fair{color:var(--fair)}.poor{color:var(--poor)}
.card{padding:18px 20px 14px;margin-bottom:16px;min-width:0}
.head{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:baseline;justify-content:space-between}
.head a{font-size:13px}
.about,.more,.none{margin:4px 0 0;color:var(--muted);font-size:13px}
.none{padding:12px 0}
.legend{display:flex;gap:16px;margin:0;padding:0;list-style:none;color:var(--muted);font-size:13px}
.legend svg{width:12px;height:12px;margin-inline-end:6px;vertical-align:-1px}
.scroll{overflow-x:auto;margin-top:10px}
.chart{display:block;width:100%;min-width:620px;height:auto}
.chart text{fill:var(--muted);font:12px system-ui,sans-serif;font-variant-numeric:tabular-nums}
.grid{stroke:var(--line);fill:none}
.views{fill:var(--soft)}.visitors{fill:var(--fill)}
.hover{fill:transparent}g:hover>.hover{fill:var(--wash)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,520px),1fr));gap:0 16px;align-items:start}
.wide{grid-column:1/-1}
table{width:100%;border-collapse:collapse}
th{padding:4px 8px 6px;border-bottom:1px solid var(--line);color:var(--muted);font-size:13px;font-weight:500;text-align:start;vertical-align:bottom}
td{padding:6px 8px;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
tr:last-child td{border-bottom:0}
th:first-child,td:first-child{padding-inline-start:0}th:last-child,td:last-child{padding-inline-end:0}
.number{text-align:end;white-space:nowrap}
td.text{min-width:7em}
.bar{display:block;width:100%;height:6px;margin-top:4px}
.bar rect{fill:var(--fill)}.bar .track{fill:var(--wash)}
footer{margin-top:8px;color:var(--muted);font-size:13px}
@media print{form,.head a{display:none}.card{break-inside:avoid}}
`

/** Content security policy of the page: no scripts, no frames, forms only to this site. */
export const insightsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(insightsStyle).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
