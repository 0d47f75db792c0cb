import { readSnapshots, type ProcessSnapshot } from './read-snapshots'

/** A process of the running site and its version of Node. */
export type RunningNode = { process: string; role: string; version: string }

/** The processes that a snapshot names: the server, and the content process that it started. */
export const nodesOf = ({ families }: ProcessSnapshot): RunningNode[] => {
  const info = families.find(({ name }) => name === 'site_node_info')
  return (info?.values ?? []).map(({ labels }) => ({
    process: String(labels['process']),
    role: String(labels['role']),
    version: String(labels['version']),
  }))
}

/** The processes of this machine's site. */
export const readRunningNodes = (folder: string): RunningNode[] =>
  readSnapshots(folder).flatMap(nodesOf)
