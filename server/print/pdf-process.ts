import { json } from 'node:stream/consumers'
import { libraryBytes } from '../../engine/base/packaged-files.ts'
import { type PdfSheet, pdfDefinition } from './pdf-definition.ts'

/** Faces of the letters on papers, which go into the PDF as far as they are used. */
export const FACES = ['Regular', 'Medium', 'Italic', 'MediumItalic'] as const

/** The file of a face in its library. */
export function faceFile(face: string): string {
  return `pdfmake/fonts/Roboto/Roboto-${face}.ttf`
}

/** A process of its own that draws one paper: a sheet as JSON on stdin, PDF on stdout. */
export async function drawPdf(): Promise<void> {
  const sheet = (await json(process.stdin)) as PdfSheet
  process.stdout.end(await pdfOf(sheet).catch((error: unknown) => pdfWithoutLogo(sheet, error)))
}

/** A picture that is broken is no reason for no paper. Throws what was wrong where there is none. */
function pdfWithoutLogo({ letterhead, ...sheet }: PdfSheet, error: unknown): Promise<Buffer> {
  if (letterhead?.logo === undefined) throw error
  const { logo: _, ...card } = letterhead
  return pdfOf({ ...sheet, letterhead: card })
}

/** The PDF of a sheet. Nothing is loaded for it but the faces: no address in a text is ever asked. */
export async function pdfOf(sheet: PdfSheet): Promise<Buffer> {
  const { default: pdfmake } = await import('pdfmake')
  for (const face of FACES)
    pdfmake.virtualfs.writeFileSync(`${face}.ttf`, libraryBytes(faceFile(face)))
  pdfmake.setFonts({
    Roboto: {
      normal: 'Regular.ttf',
      bold: 'Medium.ttf',
      italics: 'Italic.ttf',
      bolditalics: 'MediumItalic.ttf',
    },
  })
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy(() => false)
  return pdfmake.createPdf(pdfDefinition(sheet)).getBuffer()
}
