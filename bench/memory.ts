import { readFileSync } from 'node:fs'

/** Memory of the processes that a process has started, in bytes each; none where the system does not tell. */
export function memoryOfChildren(pid: number): readonly number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
  return children.map((child) => memoryOf(Number(child)))
}

/** Memory of a process, in bytes; 0 where the system does not tell. */
export function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`)) ?? []
  return Number(kilobytes) * 1024
}

/** Text of a file of the system; empty where there is none. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
