import { PlainAnswer, type OpsHandler, type OpsServices } from './ops-call'

const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

/** `GET /_ops/metrics`: the metrics of all processes of this machine, as Prometheus text. */
export function metricsText({ metricsText: text }: Pick<OpsServices, 'metricsText'>): OpsHandler {
  return async () => new PlainAnswer(prometheusType, await text())
}
