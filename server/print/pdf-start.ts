import { drawPdf } from './pdf-process.ts'

await drawPdf()
