/* A server that is killed in the middle of a long read: prints the number of its reader, for reader-process.test.ts. */
import { createReaderProcess } from '../../../../engine/storage/deep/reader-process.ts'

const [, , file = '', text = ''] = process.argv
const reader = createReaderProcess({ file, libraryFolders: [], budgetMs: 600_000, idleMs: 1_000 })
const errand = { person: 'anna', narrow: 'ask for less' }
await reader.read(errand, 'select 1', [], () => undefined)
console.log(reader.pid)
await reader.read(errand, text, [], () => undefined)
