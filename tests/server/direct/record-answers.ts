import { writeFileSync } from 'node:fs'
import { openRecordedWorld } from './recorded-world.ts'

/*
 * Writes the answers to the recorded requests into a file, by which two versions of the program are compared:
 *
 *     node tests/server/direct/record-answers.ts before.txt
 */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('expected a file to write the answers to')
const world = await openRecordedWorld()
const answers = await world.answers()
const text = [...answers].map(([name, answer]) => `### ${name}\n${answer}\n`).join('\n')
writeFileSync(file, text)
await world.close()
console.log(`${answers.size} answers in ${file}`)
