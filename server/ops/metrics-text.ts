import { PlainAnswer, type OpsCall } from './ops-call'

/** The text format of Prometheus. */
const type = 'text/plain; version=0.0.4; charset=utf-8'

/** `GET /_ops/metrics`: counts and measures of all processes of this machine together. */
export const metricsText: OpsCall['make'] = (site) => async () =>
  new PlainAnswer(type, await site.metricsText())
