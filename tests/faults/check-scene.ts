import { checkArrivals, checkEvents, checkFanOut, checkNothingLeased } from './check-deliveries.ts'
import { checkAnswered, checkOnce, checkSums, checkWhole } from './check-documents.ts'
import { checkLogs } from './check-logs.ts'
import type { Scene } from './scene.ts'

/**
 * What is true after any fault, once everything has drained (reliability.md §4, I1 to I8). `excused` are the
 * deliveries that a killed process held, and how often.
 */
export async function checkScene(
  scene: Scene,
  excused: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  await checkRecords(scene, excused)
  for (const { output } of scene.servers) checkLogs(output().stderr)
}

/** The same but for the logs, where the fault was one that servers tell of. */
export async function checkRecords(
  scene: Scene,
  excused: ReadonlyMap<string, number>,
): Promise<void> {
  await checkOnce(scene)
  await checkAnswered(scene)
  await checkSums(scene)
  await checkEvents(scene)
  await checkFanOut(scene)
  await checkNothingLeased(scene)
  await checkArrivals(scene, excused)
  await checkWhole(scene)
}
