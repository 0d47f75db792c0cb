import type { OpsCall } from './ops-call'

/** The text format of Prometheus. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** `GET /_ops/metrics`: counts and measures of all processes of this machine together. */
export const metricsText: OpsCall['make'] = (site) => () => site.metricsText()
